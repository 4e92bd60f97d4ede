import FoundationEssentials

/// Finds bytes in a text that contains them in base64, also in the middle of a longer encoding, or in hexadecimal.
/// Pure.
enum EncodedText {
    /// - Parameter alignment: how many bytes, modulo three, precede them in the encoded data.
    /// - Returns: the whole runs of base64 around them: what is encoded together with a secret is often a secret too.
    static func ranges(ofBase64 wanted: [UInt8], alignment: Int, in text: [UInt8]) -> [Range<Int>] {
        // Only the characters that depend on these bytes alone: those at the ends also depend on the neighbouring
        // bytes.
        let skipped = [0, 2, 3][alignment]
        let length = (alignment + wanted.count) * 8 / 6 - skipped
        guard length >= 4, length <= text.count else { return [] }
        let encoded = Data(repeating: 0, count: alignment) + Data(wanted)
        let core = Array(encoded.base64EncodedString().utf8.dropFirst(skipped).prefix(length))
        return ranges(of: core, in: text) { standard($0) }.map { range in
            var (first, last) = (range.lowerBound, range.upperBound)
            while first > 0, isBase64(text[first - 1]) { first -= 1 }
            while last < text.count, isBase64(text[last]) { last += 1 }
            return first..<last
        }
    }

    static func ranges(ofHexadecimal wanted: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        guard 2 * wanted.count <= text.count else { return [] }
        let digits = Array("0123456789abcdef".utf8)
        let pattern = wanted.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return ranges(of: pattern, in: text) { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func ranges(
        of pattern: [UInt8], in text: [UInt8], _ normal: (UInt8) -> UInt8
    ) -> [Range<Int>] {
        guard !pattern.isEmpty, pattern.count <= text.count else { return [] }
        return (0...text.count - pattern.count).filter { start in
            pattern.indices.allSatisfy { normal(text[start + $0]) == pattern[$0] }
        }.map { $0..<$0 + pattern.count }
    }

    // Maps the URL-safe alphabet to the standard one.
    private static func standard(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="): true
        default: false
        }
    }
}
