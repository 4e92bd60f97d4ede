/// Text from elsewhere, made harmless for a terminal.
enum SafeText {
    /// The text with every byte of a control character, line separator or direction mark written `\xHH`, as it can be
    /// written in a LOCATION too.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: disturbs) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if disturbs(scalar) {
                for byte in String(scalar).utf8 { result += "\\x" + hexadecimal(byte) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same, keeping line feeds.
    static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// Two digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// Whether a scalar could move the cursor, break the line or turn its direction round. Joiners are allowed: names in
    /// Persian or Hindi need them.
    static func disturbs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x20...0x7E: false
        default: [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }
}
