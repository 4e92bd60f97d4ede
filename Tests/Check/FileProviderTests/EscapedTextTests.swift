import FileProvider
import Testing

/// Bytes that need not be UTF-8, converted to text and back.
@Suite struct EscapedTextTests {
    @Test(
        "text stays unchanged, invalid UTF-8 is escaped, and so is a backslash that would be read as an escape",
        arguments: [
            ("plain.txt", "plain.txt"), ("é ü 漢 🎉", "é ü 漢 🎉"), ("back\\slash", "back\\slash"), ("\\xFF", "\\x5CxFF"),
            ("\\x41", "\\x41"), ("", ""),
        ])
    func text(_ given: String, _ shown: String) {
        #expect(EscapedText.text(of: given.utf8) == shown)
        #expect(EscapedText.bytes(of: shown) == Array(given.utf8))
    }

    @Test("a name in Latin-1, a truncated character and an overlong one come back byte by byte")
    func broken() {
        for (bytes, shown) in [
            ([0x62, 0x6C, 0xE5], "bl\\xE5"), ([0xC3], "\\xC3"), ([0xC0, 0xAF], "\\xC0\\xAF"),
            ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
        ] as [([UInt8], String)] {
            #expect(EscapedText.text(of: bytes) == shown)
            #expect(EscapedText.bytes(of: shown) == bytes)
        }
    }

    @Test("no escape yields a slash, a zero byte or a letter")
    func smuggling() {
        for text in ["\\x2F", "\\x00", "\\x41", "\\x2", "\\xZZ", "\\x"] {
            #expect(EscapedText.bytes(of: text) == Array(text.utf8))
        }
    }

    @Test("any bytes come back unchanged, and no two yield the same text")
    func everyByte() {
        var generator = SystemRandomNumberGenerator()
        let alphabet: [UInt8] =
            Array("\\x5CFf09A/e".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0xFF]
        var texts: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            let text = EscapedText.text(of: bytes)
            #expect(EscapedText.bytes(of: text) == bytes, "\(bytes) became \(text)")
            // Not with `==` on texts: names are compared byte by byte.
            let other = texts.updateValue(bytes, forKey: text.utf8.map { String($0) }.joined(separator: " "))
            #expect(other == nil || other == bytes)
        }
    }
}
