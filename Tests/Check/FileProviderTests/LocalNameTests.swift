import Testing

@testable import FileProvider

/// Names that are not UTF-8 are shown with `\xHH` escapes, reversible for every name (DESIGN section 6).
@Suite struct LocalNameTests {
    static let names: [[UInt8]] = [
        Array("plain.txt".utf8), [0xFF], Array(#"\xFF"#.utf8), Array(#"\x5C"#.utf8), Array(#"\x41"#.utf8),
        Array(#"a\b\\x"#.utf8), [0x5C], [0x5C, 0xFF], Array("ä\\xe4".utf8), [0xC3], [0xE4, 0x62],
        Array("new\nline".utf8), Array(#"new\x0Aline"#.utf8), [0x7F], Array(#"\x7F"#.utf8),
        Array(#"\x2E\x2E\x2Fup"#.utf8), Array(repeating: 0x80, count: 255),
    ]

    @Test("F1: the text of every name leads back to that name, and to no other", arguments: names)
    func reversible(_ bytes: [UInt8]) throws {
        let name = try #require(LocalName(bytes: bytes))
        #expect(LocalName(displayed: name.displayed)?.bytes == bytes)
    }

    @Test("no two names have the same text")
    func distinct() {
        let shown = Self.names.compactMap { LocalName(bytes: $0)?.displayed }
        #expect(Set(shown).count == Self.names.count)
    }

    @Test(
        "an escape of an ordinary byte is invalid: no text can contain a hidden slash or NUL",
        arguments: [#"\x2F"#, #"\x00"#, #"\x2E\x2E"#])
    func notDecoded(_ text: String) throws {
        #expect(LocalName(displayed: text)?.bytes == Array(text.utf8))
    }

    @Test("many random names come back unchanged")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet: [UInt8] = [0x5C, 0x78, 0x46, 0x38, 0x30, 0x35, 0x43, 0xC3, 0xA4, 0xFF, 0x61]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 1...12)).map { _ in alphabet.randomElement(using: &generator) ?? 0x61 }
            let name = try #require(LocalName(bytes: bytes))
            #expect(LocalName(displayed: name.displayed)?.bytes == bytes)
        }
    }
}
