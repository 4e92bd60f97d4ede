/// Finds bytes in a text where each of them may be written as it is or escaped: `%2B`, `+` for a space, `\"`, `\u002b`,
/// `&amp;`. Pure.
enum EscapedSearch {
    static func ranges(of wanted: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start < text.count {
            if let end = match(wanted, text, at: start) {
                found.append(start..<end)
                start = end
            } else {
                start += 1
            }
        }
        return found
    }

    /// The position in the text after the bytes; nil if they are not there.
    private static func match(_ wanted: [UInt8], _ text: [UInt8], at start: Int) -> Int? {
        var position = start
        for byte in wanted {
            guard let next = step(byte, text, position) else { return nil }
            position = next
        }
        return position
    }

    private static func step(_ byte: UInt8, _ text: [UInt8], _ position: Int) -> Int? {
        guard position < text.count else { return nil }
        let first = text[position]
        if first == byte {
            // A backslash of the secret that is itself escaped.
            let isDoubled = byte == backslash && position + 1 < text.count && text[position + 1] == backslash
            return position + (isDoubled ? 2 : 1)
        }
        switch first {
        case UInt8(ascii: "+"): return byte == UInt8(ascii: " ") ? position + 1 : nil
        case UInt8(ascii: "%"): return hexadecimal(text, position + 1, 2) == Int(byte) ? position + 3 : nil
        case UInt8(ascii: "&"): return entity(byte, text, position)
        case backslash: return backslashed(byte, text, position)
        default: return nil
        }
    }

    private static let backslash = UInt8(ascii: "\\")

    private static func backslashed(_ byte: UInt8, _ text: [UInt8], _ position: Int) -> Int? {
        guard position + 1 < text.count else { return nil }
        let next = text[position + 1]
        if next == UInt8(ascii: "u") {
            return hexadecimal(text, position + 2, 4) == Int(byte) ? position + 6 : nil
        }
        let meant: UInt8 =
            switch next {
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            default: next
            }
        return meant == byte ? position + 2 : nil
    }

    private static func entity(_ byte: UInt8, _ text: [UInt8], _ position: Int) -> Int? {
        let names: [String] =
            switch byte {
            case UInt8(ascii: "&"): ["&amp;", "&#38;"]
            case UInt8(ascii: "<"): ["&lt;", "&#60;"]
            case UInt8(ascii: ">"): ["&gt;", "&#62;"]
            case UInt8(ascii: "\""): ["&quot;", "&#34;"]
            case UInt8(ascii: "'"): ["&apos;", "&#39;"]
            default: []
            }
        return names.first { text[position...].starts(with: $0.utf8) }.map { position + $0.utf8.count }
    }

    private static func hexadecimal(_ text: [UInt8], _ start: Int, _ digits: Int) -> Int? {
        guard start + digits <= text.count else { return nil }
        return Int(String(decoding: text[start..<start + digits], as: UTF8.self), radix: 16)
    }
}
