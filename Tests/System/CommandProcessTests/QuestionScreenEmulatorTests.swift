import DocentTestSupport
import Foundation
import Testing

@testable import ClientRunning

/// The terminal states that a program can cause before it asks for a document, on other authors' terminals.
@Suite(.needs(.programs)) struct QuestionScreenEmulatorTests {
    private struct Sample {
        let name: String
        /// Written before the question.
        let before: String
        /// Written after it: shows the appearance of letters and the position of the cursor.
        let after: String
        var fills = false
        /// Whether terminals interpret it differently.
        var hasOwnMeaning = false

        init(
            _ name: String, _ before: String, _ after: String = "qX\r\n2", fills: Bool = false,
            hasOwnMeaning: Bool = false
        ) {
            (self.name, self.before, self.after) = (name, before, after)
            (self.fills, self.hasOwnMeaning) = (fills, hasOwnMeaning)
        }
    }

    private static let forged = "docent: org.example.Trusted (enforced, process 1) wants nothing."

    private static let samples: [Sample] = [
        Sample("nothing", ""),
        Sample("text", "hello \u{1B}[31mred"),
        Sample("a full screen", (0..<60).map { "line \($0)\r\n" }.joined()),
        Sample("scroll region", "\u{1B}[2J\u{1B}[1;1H\(forged)\u{1B}[3;4r\u{1B}[3;1H"),
        Sample("scroll region without an end", "\u{1B}[20r"),
        Sample("origin mode", "\u{1B}[5;10r\u{1B}[?6h\u{1B}[2;3H"),
        Sample("margins", "\u{1B}[?69h\u{1B}[40;60s", "", fills: true),
        Sample("alternate screen 1049", "normal\u{1B}[?1049h\(forged)", fills: true),
        Sample("alternate screen 1047", "normal\u{1B}[?1047h\(forged)", fills: true),
        Sample("alternate screen 47", "\u{1B}[?47h\(forged)\u{1B}[5;6r", fills: true),
        Sample("alternate screen and back", "\u{1B}[?1049hx\u{1B}[?1049ly"),
        Sample("line drawing as G0", "\u{1B}(0qqq"),
        Sample("line drawing as G1", "\u{1B})0\u{E}qqq"),
        Sample("insertion", "\u{1B}[4habc\r", "new"),
        Sample("new line mode", "\u{1B}[20h"),
        Sample("no wrapping", "\u{1B}[?7l\u{1B}[70G", "0123456789abcdefgh"),
        Sample("hidden cursor", "\u{1B}[?25l"),
        Sample("concealed", "\u{1B}[8m"),
        Sample("black on black", "\u{1B}[30;40m\u{1B}[2J"),
        Sample("many colours", "\u{1B}[1;4;38;5;200;48;2;1;2;3m"),
        Sample("colours with colons", "\u{1B}[4:3;38:5:11m"),
        Sample("reverse screen", "\u{1B}[?5h"),
        Sample("palette", "\u{1B}]4;7;#000000\u{7}\u{1B}]10;#000000\u{1B}\\\u{1B}]11;#000000\u{7}"),
        Sample("mouse", "\u{1B}[?1003h\u{1B}[?1006h"),
        Sample("mouse, one after the other", "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1005h"),
        Sample("keys", "\u{1B}=\u{1B}[?1h\u{1B}[?2004h\u{1B}[?1004h\u{1B}[>4;2m\u{1B}[>31u"),
        Sample("saved modes", "\u{1B}[?1s\u{1B}[?1h\u{1B}[?1h"),
        Sample("half a control sequence", "x\u{1B}[3", "1mred"),
        Sample("half an escape", "x\u{1B}", "[31mred"),
        Sample("half a title", "x\u{1B}]0;ti", "tle\u{7}y"),
        Sample("half a device string", "x\u{1B}P1;2", "|x\u{1B}\\y"),
        Sample("half an application string", "x\u{1B}_x", "x\u{1B}\\y"),
        Sample("half a long title", "x\u{1B}]0;" + String(repeating: "t", count: 9000), "tle\u{7}y"),
        Sample("protected letters", "\u{1B}[1\"q\(forged)\u{1B}V\(forged)\u{1B}W\u{1B}[0\"q"),
        Sample("a screen of E", "\u{1B}#8\u{1B}#3"),
        Sample("tab stops", "\u{1B}[3g", "\tX"),
        Sample("shown late", "\u{1B}[?2026hx\u{1B}[?2026l\u{1B}[?2026h", "\u{1B}[?2026ly"),
        Sample("questions to the terminal", "\u{1B}[6n\u{1B}[c\u{1B}[>c\u{1B}[5n"),
        // tmux does not support this: the state that the program changed is not restored.
        Sample("soft reset", "\u{1B}[?1h\u{1B}[3;4r\u{1B}[31m\u{1B}[!p\u{1B}[?1l\u{1B}[r\u{1B}[m"),
        Sample("soft reset that tmux ignores", "\u{1B}[3;4r\u{1B}[?1h\u{1B}[!p", "", hasOwnMeaning: true),
        Sample("one byte begins", "\u{9B}3;4r\u{9B}?1h", "", hasOwnMeaning: true),
        Sample("hard reset", "\u{1B}[3;4r\u{1B}[?1h\u{1B}[31m\u{1B}c"),
        Sample("other terminals", "\u{1B}[1$}\u{1B}[2$~\u{1B}[?3h\u{1B}[?38h\u{1B}[?2l\u{1B} G", "", fills: true),
        Sample("status line", "\u{1B}[2$~\u{1B}[1$}\(forged)\u{1B}[0$}"),
    ]

    private static let question = [
        "docent: org.example.Boxed (enforced, process 7) wants to open a document.", "  It says: \"qxlkj\"",
    ]

    private static func bytes(_ sample: Sample) -> (tracker: TerminalTracker, asked: [UInt8]) {
        var tracker = TerminalTracker()
        let before = Array(sample.before.utf8)
        tracker.note(before)
        let text =
            QuestionScreen.open(tracker, .full) + question.map { $0 + "\r\n" }.joined() + QuestionScreen.typing(.full)
        return (tracker, before + Array((text + "q? ").utf8))
    }

    @Test(
        "I2: whatever state a program left the terminal in, a question is shown alone on an empty screen",
        arguments: ["tmux", "pyte"])
    func standsAlone(emulator: String) async throws {
        let asked = Self.samples.map { Self.bytes($0).asked }
        let views = try await emulator == "tmux" ? TerminalEmulator.tmux(asked) : TerminalEmulator.pyte(asked)
        try #require(views.count == Self.samples.count)
        let usual = views[0]
        let lines = Self.question + ["q?"]
        #expect(usual.lines == lines + [String](repeating: "", count: 24 - lines.count))
        for (sample, view) in zip(Self.samples, views) {
            #expect(view == usual, "\(sample.name)")
        }
    }

    @Test("I2: after a question the program's screen, modes and incomplete escape sequence are restored")
    func givesBack() async throws {
        let undisturbed = Self.samples.map { Array(($0.before + $0.after).utf8) }
        let asked = Self.samples.map { sample in
            let (tracker, asked) = Self.bytes(sample)
            return asked + QuestionScreen.close(tracker, .full) + Array(sample.after.utf8)
        }
        let views = try await TerminalEmulator.tmux(undisturbed + asked)
        try #require(views.count == 2 * Self.samples.count)
        for (index, sample) in Self.samples.enumerated() {
            let (expected, got) = (views[index], views[Self.samples.count + index])
            let places: Set = ["cursor_x", "cursor_y"]
            // A full-screen program is asked to redraw.
            if sample.fills {
                #expect(
                    got.modes.filter { !places.contains($0.key) } == expected.modes.filter { !places.contains($0.key) },
                    "\(sample.name)")
            } else if !sample.hasOwnMeaning {
                #expect(got == expected, "\(sample.name)")
            }
        }
    }

    @Test("I2: terminal modes are reset after a program, and it cannot forge the next line")
    func leaves() async throws {
        let tail = "\r\n\u{1B}[2Knext\r\n"
        let views = try await TerminalEmulator.tmux(
            Self.samples.map { sample in
                Array((sample.before + QuestionScreen.leave(Self.bytes(sample).tracker, .full) + tail).utf8)
            })
        let modes = try #require(views.first).modes.filter { !["cursor_x", "cursor_y"].contains($0.key) }
        for (sample, view) in zip(Self.samples, views) {
            #expect(view.modes.filter { modes[$0.key] != nil } == modes, "\(sample.name)")
            #expect(view.lines.contains { $0.hasSuffix("next") }, "\(sample.name)")
        }
    }
}
