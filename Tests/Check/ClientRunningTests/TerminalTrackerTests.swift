import Testing

@testable import ClientRunning

@Suite struct TerminalTrackerTests {
    private static func modes(_ text: String) -> TerminalModes {
        var tracker = TerminalTracker()
        tracker.note(Array(text.utf8))
        return tracker.modes
    }

    @Test("The modes that a program sets are tracked, and restored after a question")
    func follows() {
        let modes = Self.modes(
            "\u{1B}[?1049h\u{1B}[3;9r\u{1B}[?6;25;1h\u{1B}[?25l\u{1B}[4h\u{1B}=\u{1B}(0\u{E}\u{1B}[1;31;48;5;7m\u{1B}[>4;2m"
        )
        #expect(modes.alternateScreen == 1049)
        #expect(modes.lines == .init(first: 3, last: 9))
        #expect(modes.changed == [1, 6, 25])
        #expect(modes.changedANSI == [4])
        #expect(modes.isKeypadApplication)
        #expect(modes.designations[0] == "\u{1B}(0")
        #expect(modes.shift == 1)
        #expect(modes.rendition.sequence == "\u{1B}[0;1;31;48;5;7m")
        #expect(modes.keyModifiers == [4: 2])
        #expect(!modes.isPlain)
    }

    @Test(
        "Modes that a program resets are as at the start",
        arguments: [
            "", "text\r\n\u{1B}[2J\u{1B}[5;5H\u{7}", "\u{1B}[?1049h\u{1B}[?1049l", "\u{1B}[31m\u{1B}[m",
            "\u{1B}[3;4r\u{1B}[r", "\u{1B}[?7l\u{1B}[?7h", "\u{1B}[1;31m\u{1B}c",
            "\u{1B}7\u{1B}[31m\u{1B}8", "\u{1B}[?2004s\u{1B}[?2004h\u{1B}[?2004r", "\u{1B}=\u{1B}>", "\u{E}\u{F}",
            "\u{1B}[1;2;3;4;5;7;8;9;53m\u{1B}[22;23;24;25;27;28;29;55m", "\u{1B}[38;2;1;2;3;48;5;6m\u{1B}[39;49m",
            "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1000l", "\u{1B}]0;title\u{7}", "\u{1B}P+q\u{1B}\\", "\u{1B}[31\u{18}m",
            "\u{1B}[4;1r", "\u{1B}[99999999999999999999999h", "\u{1B}[::;;:m",
        ])
    func setsBack(text: String) { #expect(Self.modes(text).isPlain) }

    @Test(
        "A sequence that not all terminals know leaves a doubt, and everything is reset at the end",
        arguments: ["\u{1B}[3;4r\u{1B}[!p", "\u{9B}3;4r\u{9B}r"])
    func doubt(text: String) {
        var tracker = TerminalTracker()
        tracker.note(Array(text.utf8))
        #expect(tracker.modes.lines == nil)
        #expect(QuestionScreen.leave(tracker, .full).contains("\u{1B}[r"))
    }

    @Test("Sequences may be split anywhere, and one-byte introducers are equivalent")
    func cuts() {
        let text = "é\u{1B}[3;4r\u{1B}]4;1;red\u{1B}\\\u{1B}[1\u{E};31m€\u{9B}?25l\u{1B}(0"
        var single = TerminalTracker()
        for byte in text.utf8 { single.note(CollectionOfOne(byte)) }
        #expect(single.modes == Self.modes(text))
        #expect(single.modes.changed == [25])
        #expect(single.modes.hasChangedColors)
        #expect(single.unfinished.isEmpty)
    }

    @Test(
        "Half a sequence is sent again after a question",
        arguments: [
            "\u{1B}", "\u{1B}[", "\u{1B}[3;4", "\u{1B}(", "\u{1B}]0;title", "\u{1B}]0;title\u{1B}", "\u{1B}P1",
            "\u{1B}_x",
        ])
    func half(text: String) {
        var tracker = TerminalTracker()
        tracker.note(Array(("done\u{1B}[31m" + text).utf8))
        #expect(tracker.unfinished == Array(text.utf8))
        var character = TerminalTracker()
        character.note(Array("€".utf8).dropLast())
        #expect(character.unfinished == Array(Array("€".utf8).dropLast()))
    }

    @Test("An endless sequence takes no more memory, and its rest is not shown")
    func bounded() {
        for (begin, again) in [
            ("\u{1B}]52;c;", "\u{1B}]99999;"), ("\u{1B}P", "\u{1B}Pz"), ("\u{1B}[", "\u{1B}[<;"),
        ] {
            var tracker = TerminalTracker()
            tracker.note(Array(begin.utf8))
            for _ in 0..<100 { tracker.note([UInt8](repeating: UInt8(ascii: "1"), count: 1000)) }
            #expect(tracker.unfinished == Array(again.utf8))
        }
    }
}
