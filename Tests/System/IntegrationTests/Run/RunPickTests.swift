import DocentTestSupport
import Foundation
import Testing

/// Picks that the user answers on the terminal that `docent run` was started on.
@Suite(.needs(.daemon)) struct RunPickTests {
    /// Runs `docent run` on a terminal of its own, types an answer at each prompt, and prints what was shown and the code.
    private static let terminal = #"""
        import json, os, pty, select, sys, time
        command, answers = json.loads(sys.argv[1]), json.loads(sys.argv[2])
        process, terminal = pty.fork()
        if process == 0: os.execvp(command[0], command)
        shown, seen, deadline = b"", 0, time.time() + 90
        while time.time() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                shown += data
            if answers and answers[0][0].encode() in shown[seen:]:
                seen = len(shown)
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

    @Test("A pick is answered on the terminal: listed, misspelled, chosen; the client gets that document and no other")
    func chosen() async throws {
        try await Installation.withLocalFolder { installation in
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
            #expect(!outcome.text.contains("\u{1B}[2J"), "what the client says moves no cursor")
            struct Grant: Decodable { var name: String? }
            let grants = try await installation.docent("grants", "--client", "org.example.Boxed", "--json")
                .succeeded().json([Grant].self)
            #expect(grants.map(\.name) == ["a.txt"])
        }
    }

    @Test("A pick that the user refuses is refused, and one where nobody can be asked is refused at once")
    func refused() async throws {
        try await Installation.withLocalFolder { installation in
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
    }

    @Test(
        "On a terminal the program has one of its own: Ctrl-C interrupts it alone, and it cannot type into the user's")
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
