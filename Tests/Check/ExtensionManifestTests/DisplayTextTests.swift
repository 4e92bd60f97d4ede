import ExtensionManifest
import Testing

/// Which characters of foreign names and texts are shown unchanged.
@Suite struct DisplayTextTests {
    @Test(
        "Invisible characters, cursor movements, line breaks and direction changes are replaced everywhere",
        arguments: [
            0x00, 0x07, 0x0A, 0x1B, 0x7F, 0x85, 0x9B, 0x2028, 0x2029, 0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4,
            0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202E, 0x2060, 0x2064, 0x2066, 0x2069,
            0x206F, 0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xFFFE, 0xE000, 0xF8FF, 0x1BCA0,
            0x1D173, 0xE0001, 0xE0041, 0xE007F, 0xE0100, 0xE01EF, 0xF0000, 0x10FFFF, 0x0378,
        ] as [UInt32])
    func hidden(_ value: UInt32) throws {
        let scalar = String(try #require(Unicode.Scalar(value)))
        for text in [scalar, "a\(scalar)b", "a\(scalar)", "\(scalar)b", "a \(scalar)\(scalar) b", "ب\(scalar) x"] {
            #expect(DisplayText.hasHidden(text), "U+\(String(value, radix: 16))")
            let shown = DisplayText.replacingHidden(in: text) { "<\(String($0.value, radix: 16))>" }
            #expect(shown.contains("<\(String(value, radix: 16))>") && !DisplayText.hasHidden(shown))
        }
    }

    @Test(
        "Characters that a language or an emoji needs stay unchanged",
        arguments: [
            "", "plain", "Ünï 日本 한글", "e\u{301}", "ﺱلام", "می\u{200C}خواهم", "क्\u{200D}ष", "ශ්\u{200D}රී", "नुक़्ता",
            "👩\u{200D}👩\u{200D}👧", "🏳\u{FE0F}\u{200D}🌈", "👩🏽\u{200D}🚀", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "☎\u{FE0E}",
            "葛\u{E0100}", "ᠠ\u{180B}", "\u{0600}12", "a\u{A0}b", "שלום",
        ])
    func needed(_ text: String) {
        #expect(!DisplayText.hasHidden(text))
        #expect(DisplayText.replacingHidden(in: text) { _ in "!" } == text)
    }

    @Test(
        "A joiner or a selector without a purpose is not mistaken for a needed one",
        arguments: [
            "a\u{200D}b", "a\u{200C}b", "می\u{200C}\u{200C}خواهم", "می\u{200C}", "\u{200C}می", "👩\u{200D}",
            "👩\u{200D}x",
            "1\u{FE0F}", "a\u{FE0F}", "葛\u{E0100}\u{E0100}", "🏴\u{E0067}\u{E0062}", "日\u{200D}本", "ب\u{200D}a",
        ])
    func unneeded(_ text: String) { #expect(DisplayText.hasHidden(text)) }
}
