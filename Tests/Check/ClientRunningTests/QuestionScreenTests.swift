import Testing

@testable import ClientRunning

/// `QuestionScreenEmulatorTests` checks how emulators display the sequences.
@Suite struct QuestionScreenTests {
    @Test("A terminal without control sequences gets none", arguments: [nil, "", "dumb"] as [String?])
    func plain(name: String?) {
        var tracker = TerminalTracker()
        tracker.note(Array("\u{1B}[?1049h\u{1B}[3;4r\u{1B}[3".utf8))
        let kind = QuestionScreen.Kind(name)
        #expect(QuestionScreen.open(tracker, kind).isEmpty)
        #expect(QuestionScreen.typing(kind).isEmpty)
        #expect(QuestionScreen.close(tracker, kind).isEmpty)
        #expect(QuestionScreen.leave(tracker, kind).isEmpty)
    }

    @Test(
        "I2: a question's screen does not depend on the program's earlier output",
        arguments: ["linux", "xterm-256color"])
    func unconditional(name: String) {
        let kind = QuestionScreen.Kind(name)
        let text = QuestionScreen.open(TerminalTracker(), kind)
        #expect(text.hasPrefix("\u{1B}\u{3}\u{18}\u{1B}\\"))
        for sequence in [
            "[?6l", "[?69l", "[?5l", "[?25h", "[?1003l", "[?2004l", "[4l", "[r", "[0m", "[?1049h", "[?2026l",
        ] {
            #expect(text.contains("\u{1B}" + sequence), "\(sequence)")
        }
        #expect(text.hasSuffix("\u{1B}[H\u{1B}[2J\u{1B}[H"))
    }

    @Test("I2: colours are reset only if the program changed some, since they may be the user's own")
    func colors() {
        var tracker = TerminalTracker()
        #expect(!QuestionScreen.open(tracker, .full).contains("\u{1B}]104"))
        tracker.note(Array("\u{1B}]10;#000\u{7}".utf8))
        #expect(QuestionScreen.open(tracker, .full).contains("\u{1B}]110\u{1B}\\"))
        #expect(QuestionScreen.open(tracker, .console).contains("\u{1B}]R"))
    }

    @Test("At the end only what the program changed is reset")
    func leaves() {
        var tracker = TerminalTracker()
        tracker.note(Array("text\r\n\u{1B}[31mred\u{1B}[0m\r\n".utf8))
        #expect(QuestionScreen.leave(tracker, .full).isEmpty)
        tracker.note(Array("\u{1B}[3;4r\u{1B}[?1049h\u{1B}]0;".utf8))
        let text = QuestionScreen.leave(tracker, .full)
        #expect(text.hasPrefix("\u{18}\u{1B}\\"))
        #expect(text.contains("\u{1B}[?1049l") && text.contains("\u{1B}[r"))
    }
}
