/// Converts bytes that may not be UTF-8, such as names from a server, to text and back. Pure.
///
/// Names and identifiers of items are text. Each byte that is not UTF-8 is written `\xHH`, as Docent shows such names
/// everywhere and accepts them on the command line; other text stays as it is. For every `bytes`:
/// `EscapedText.bytes(of: EscapedText.text(of: bytes)) == bytes`. ``LocalName`` does the same for names that a file can
/// have.
public enum EscapedText {
    private static let backslash = UInt8(ascii: "\\")

    /// The bytes as text. Each byte that is not UTF-8 is written `\xHH`, and so is a backslash that would be read as
    /// the start of such an escape.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if !bytes.contains(backslash), let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let isPlain = first != backslash || escaped(rest) == nil
            if isPlain, rest.count >= length, let scalar = String(validating: rest.prefix(length), as: UTF8.self) {
                text += scalar
                rest = rest.dropFirst(length)
            } else {
                let digits = String(first, radix: 16, uppercase: true)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// The bytes that a text stands for. Also decodes the escapes that show control characters in a terminal, and
    /// nothing else, so that no text can smuggle in a slash or a zero byte.
    public static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let value = escaped(rest)
            bytes.append(value ?? byte)
            rest = rest.dropFirst(value == nil ? 1 : 4)
        }
        return bytes
    }

    // The byte that an escape at the start of the text stands for.
    private static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
        let escape = text.prefix(4)
        guard escape.count == 4, escape.starts(with: "\\x".utf8),
            let digits = String(validating: escape.dropFirst(2), as: UTF8.self),
            digits.allSatisfy({ $0.isHexDigit && $0.isASCII }), let value = UInt8(digits, radix: 16)
        else { return nil }
        let isControl = value > 0 && value < 0x20
        return value >= 0x7F || isControl || value == backslash ? value : nil
    }
}
