import DocentTestSupport
import Foundation
import Testing

/// Pick requests that the user answers on the terminal of `docent run`.
@Suite(.needs(.daemon)) struct RunPickTests {
    /// Runs `docent run` on its own terminal, types an answer at each prompt, and prints the output and the exit code.
    private static let terminal = #"""
        import fcntl, json, os, pty, select, struct, sys, termios, time
        command, answers = json.loads(sys.argv[1]), json.loads(sys.argv[2])
        process, terminal = pty.fork()
        if process == 0: os.execvp(command[0], command)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        shown, seen, deadline = b"", 0, time.time() + 90
        while time.time() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                shown += data
            while answers and answers[0][0].encode() in shown[seen:]:
                seen = shown.index(answers[0][0].encode(), seen) + len(answers[0][0])
                os.write(terminal, answers.pop(0)[1].encode())
        else: os.kill(process, 15)
        print(shown.decode(errors="replace"))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        """#

    private static let asking =
        SandboxedPython.client + #"""
            reply = call(documents + "RequestPick", {"mode": "open", "access": "read", "reason": "\u001b[2Jpay me", "operation": "1"}, True)
            print("answer", kind(reply))
            if kind(reply) != "ok": sys.exit(4)
            print("info", call(documents + "Info", {"reference": reply["parameters"]["item"]["reference"]})["parameters"]["item"]["name"])
            """#

    private static func onTerminal(
        _ installation: Installation, _ command: [String], _ answers: [[String]]
    ) async throws -> Outcome {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        return try await installation.run(
            "/usr/bin/env", ["python3", "-c", terminal, try text(command), try text(answers)])
    }

    private static let command = [
        Installation.binaries + "/docent", "run", "--client", "org.example.Boxed", "--", "python3", "-c", asking,
    ]

    @Test(
        "A pick is answered on the terminal: refused, also if no user can be asked; listed, misspelled, chosen; and accounts are listed as they can be typed"
    )
    func answered() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("refused") { try await Self.refused(installation) }
            try await TestStep.run("chosen") { try await Self.chosen(installation) }
            try await TestStep.run("accounts") { try await Self.accounts(installation) }
        }
    }

    /// A pick that the user refuses is refused, and at once if no user can be asked.
    private static func refused(_ installation: Installation) async throws {
        try installation.write("hello", to: "a.txt")
        let refused = try await Self.onTerminal(installation, Self.command, [["refuse: ", "n\n"]])
        #expect(refused.status == 4, "\(refused.text)")
        #expect(refused.text.contains("answer NotPermitted"))
        var silent = Self.command
        silent.insert("--no-picks", at: 2)
        let unasked = try await Self.onTerminal(installation, silent, [])
        #expect(unasked.status == 4, "\(unasked.text)")
        let noTerminal = try await installation.run("/usr/bin/setsid", ["--wait"] + Self.command)
        #expect(noTerminal.status == 4, "\(noTerminal.errors)")
    }

    /// It is listed, misspelled, chosen; the client gets that document and no other.
    private static func chosen(_ installation: Installation) async throws {
        try installation.write("hello", to: "a.txt")
        try installation.write("other", to: "b.txt")
        let outcome = try await Self.onTerminal(
            installation, Self.command,
            [
                ["refuse: ", "? LocalFolder:/\n"], ["refuse: ", "LocalFolder:/none\n"],
                ["refuse: ", "LocalFolder:/a.txt\n"],
            ])
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("org.example.Boxed (enforced"))
        #expect(outcome.text.contains("info a.txt"))
        #expect(!outcome.text.contains("\u{1B}[2J"), "the client's text moves no cursor")
        struct Grant: Decodable { var name: String? }
        let grants = try await installation.docent("grants", "--client", "org.example.Boxed", "--json")
            .succeeded().json([Grant].self)
        #expect(grants.map(\.name) == ["a.txt"])
    }

    /// A question mark alone lists the accounts as they can be typed.
    private static func accounts(_ installation: Installation) async throws {
        let folder = installation.home + "/Papers"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("hello".utf8).write(to: URL(filePath: folder + "/a.txt"))
        try await installation.docent("domains", "add", "LocalFolder", "papers", "--folder", folder).succeeded()
        let outcome = try await Self.onTerminal(
            installation, Self.command,
            [["refuse: ", "?\n"], ["refuse: ", "org.docent.LocalFolder@papers:/a.txt\n"]])
        #expect(outcome.status == 0, "\(outcome.text)")
        let lines = outcome.text.split(whereSeparator: \.isNewline)
        for account in ["org.docent.LocalFolder", "org.docent.LocalFolder@papers"] {
            #expect(lines.contains { $0.hasSuffix("  \(account):/") }, "\(outcome.text)")
        }
        #expect(outcome.text.contains("info a.txt"))
    }

    /// Draws a question of its own, hides the real one's line, and asks.
    private static let forging =
        SandboxedPython.client + #"""
            import signal, termios, time
            resized = []
            def resize(*_):
                resized.append(True)
                os.write(1, b"<resized>\n")
            signal.signal(signal.SIGWINCH, resize)
            settings = termios.tcgetattr(0)
            settings[3] &= ~termios.ECHO
            termios.tcsetattr(0, termios.TCSANOW, settings)
            os.write(1, b"\x1b[?1003h\x1b[8m\x1b[2J\x1b[1;1Hdocent: org.example.Trusted (enforced) wants nothing.\x1b[3;4r\x1b[?6h\x1b]0;half")
            os.read(0, 100)
            before = len(resized)
            reply = call(documents + "RequestPick", {"mode": "open", "access": "read", "reason": "x" * 400, "operation": "1"}, True)
            if kind(reply) != "ok": sys.exit(4)
            os.write(1, b" a title\x07")
            # The answer may be here before the signal.
            for _ in range(1200):
                if len(resized) > before: break
                time.sleep(0.05)
            print("info", call(documents + "Info", {"reference": reply["parameters"]["item"]["reference"]})["parameters"]["item"]["name"])
            """#

    @Test(
        "I2: a program that draws a question of its own cannot forge the real one, and earlier input is not taken as an answer"
    )
    func forged() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try installation.write("other", to: "b.txt")
            var command = ["/usr/bin/env", "TERM=xterm-256color"] + Self.command
            command[command.count - 1] = Self.forging
            // The program continues when everything it drew is shown. The next input is typed while the question is
            // drawn, the one after it begins with a terminal's own answer.
            let outcome = try await Self.onTerminal(
                installation, command,
                [
                    ["]0;half", "\n"], ["(enforced, process", "LocalFolder:/b.txt\n"],
                    ["refuse: ", "\u{1B}[24;80RLocalFolder:/b.txt\n"],
                    ["refuse: ", "LocalFolder:/a.txt\n"],
                ])
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.contains("info a.txt"))
            struct Grant: Decodable { var name: String? }
            let grants = try await installation.docent("grants", "--client", "org.example.Boxed", "--json")
                .succeeded().json([Grant].self)
            #expect(grants.map(\.name) == ["a.txt"])
            let (shown, rest) = try #require(outcome.text.split("refuse: "))
            let view = try #require(try await TerminalEmulator.tmux([Array((shown + "refuse: ").utf8)]).first)
            #expect(view.lines[0].hasPrefix("docent: org.example.Boxed (enforced, process "), "\(view.lines)")
            #expect(!view.lines.joined().contains("Trusted"))
            #expect(view.modes["alternate_on"] == "1" && view.modes["mouse_any_flag"] == "0", "\(view.modes)")
            #expect(view.modes["scroll_region_lower"] == "23" && view.modes["origin_flag"] == "0", "\(view.modes)")
            #expect(rest.contains("\u{1B}[?1049l"))
            #expect(rest.contains("\u{1B}[3;4r") && rest.contains("\u{1B}[?1003h"), "the program's modes are set again")
            // The handler of the signal may write in between.
            #expect(rest.contains("\u{1B}[?1003h\u{1B}]0;half"), "its incomplete escape sequence is started again")
            #expect(rest.contains(" a title\u{7}"))
            #expect(rest.contains("<resized>"), "it is asked to redraw")
        }
    }

    @Test(
        "On a terminal the program gets its own terminal: Ctrl-C interrupts only the program, and it cannot inject input into the user's"
    )
    func ownTerminal() async throws {
        try await Installation.withLocalFolder { installation in
            let program = """
                import fcntl, os, termios, time
                print("terminals", os.isatty(0), os.isatty(1), os.isatty(2))
                try: fcntl.ioctl(0, termios.TIOCSTI, b"!")
                except OSError: pass
                # Not input(): a signal between its prompt and its read would be seen only after the read.
                try:
                    print("first? ", end="", flush=True)
                    while True: time.sleep(0.05)
                except KeyboardInterrupt: print("interrupted")
                print("second", input("second? "))
                """
            let outcome = try await Self.onTerminal(
                installation,
                [
                    Installation.binaries + "/docent", "run", "--client", "org.example.Boxed", "--", "python3", "-c",
                    program,
                ],
                [["first? ", "\u{3}"], ["second? ", "typed\r"]])
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.contains("terminals True True True"))
            #expect(outcome.text.contains("interrupted"))
            #expect(outcome.text.contains("second typed"))
        }
    }
}

extension String {
    /// The text before the first occurrence of another text, and the text after it.
    fileprivate func split(_ text: String) -> (before: String, after: String)? {
        guard let range = firstRange(of: text) else { return nil }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
