/// 160 bits that a person copies: eight groups of five characters, the last of each a check that finds a slip of the
/// pen in its group.
enum CodeGroups {
    // Without I, L, O and U, which are misread.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let groups = 8

    /// Reads what a person typed: case, spaces and hyphens do not matter, and I, L and O are read as 1, 1 and 0.
    ///
    /// - Throws: ``DriveError/invalid(_:)``, which names the first wrong group.
    static func bytes(_ text: String) throws(DriveError) -> [UInt8] {
        var symbols: [UInt8] = []
        for byte in text.uppercased().utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            let read: UInt8 =
                switch byte {
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                default: byte
                }
            guard let value = Self.alphabet.firstIndex(of: read) else {
                throw .invalid("The code has a character that does not occur in one.")
            }
            symbols.append(UInt8(value))
        }
        guard symbols.count == Self.groups * 5 else {
            throw .invalid("It has eight groups of five characters.")
        }
        var bits: [UInt8] = []
        for group in 0..<Self.groups {
            let part = Array(symbols[group * 5..<group * 5 + 5])
            guard check(Array(part.prefix(4)), group: group) == part[4] else {
                throw .invalid("Group \(group + 1) of the code is mistyped.")
            }
            bits += part.prefix(4)
        }
        var bytes: [UInt8] = []
        for index in 0..<20 {
            var value: UInt8 = 0
            for bit in index * 8..<index * 8 + 8 { value = value << 1 | (bits[bit / 5] >> UInt8(4 - bit % 5)) & 1 }
            bytes.append(value)
        }
        return bytes
    }

    /// Eight groups with hyphens between them.
    static func text(_ entropy: [UInt8]) -> String {
        var symbols: [UInt8] = []
        for index in 0..<32 {
            var value: UInt8 = 0
            for bit in index * 5..<index * 5 + 5 { value = value << 1 | (entropy[bit / 8] >> UInt8(7 - bit % 8)) & 1 }
            symbols.append(value)
        }
        return (0..<Self.groups).map { group in
            let part = Array(symbols[group * 4..<group * 4 + 4])
            return String(
                decoding: (part + [check(part, group: group)]).map { Self.alphabet[Int($0)] }, as: UTF8.self)
        }.joined(separator: "-")
    }

    private static func check(_ symbols: [UInt8], group: Int) -> UInt8 {
        Sodium.hash([UInt8(group)] + symbols)[0] & 31
    }
}
