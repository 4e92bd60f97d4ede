import CommandConsole
import Testing

@testable import TerminalPicker

@Suite struct ForeignTextTests {
    @Test(
        "Nothing in a name controls the terminal, turns the text round or hides",
        arguments: [
            "\u{1B}[2J", "\u{9B}31m", "a\rb", "a\nb", "\u{202E}txt.exe", "\u{2066}x\u{2069}", "\u{200B}", "\u{FEFF}",
            "\u{7}", "\u{E0041}", "\u{2028}",
        ])
    func hostile(_ name: String) {
        let text = ForeignText.harmless(name)
        #expect(text.contains("\\x"))
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            #expect(category != .control && category != .format && category != .lineSeparator)
        }
    }

    @Test("Marks do not grow into the lines around, and none sits on our own text")
    func marks() {
        let tower = "e" + String(repeating: "\u{301}", count: 50)
        let shown = ForeignText.harmless(tower)
        #expect(shown.unicodeScalars.count { $0.value == 0x301 } == 2)
        #expect(ForeignText.harmless("\u{301}a").hasPrefix("\\x"))
        #expect(ForeignText.harmless("caf\u{65}\u{301}") == "caf\u{65}\u{301}")
    }

    @Test(
        "A text is never wider than its room", arguments: 0..<12,
        ["plain name.txt", "漢字漢字漢字", "e\u{301}e\u{301}e\u{301}", "😀😀😀", ""])
    func cut(_ room: Int, _ text: String) {
        #expect(DisplayWidth.of(ForeignText.cut(text, to: room)) <= room)
        #expect(DisplayWidth.of(ForeignText.cutBeginning(text, to: room)) <= room)
        if room > 2 {
            for line in ForeignText.wrapped(text, to: room) { #expect(DisplayWidth.of(line) <= room) }
        }
    }

    @Test("A wrapped text loses no letter")
    func wrapped() {
        let text = "one two three averyveryverylongword four"
        #expect(ForeignText.wrapped(text, to: 9).joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
}
