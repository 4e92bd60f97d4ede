import Foundation

extension Installation {
    /// What to do when a text is shown.
    package enum TerminalAction: Sendable {
        case type(String)
        /// Types the last text shown that matches a regular expression of Python, and a line feed.
        case typeShown(String)
        /// Creates an empty file, for a program that waits for it.
        case touch(String)
        /// Changes the size of the terminal.
        case resize(columns: Int, rows: Int)
    }

    /// Runs a program on its own terminal, and performs the next action whenever the next expected text is shown.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal, which has 24 lines.
    ///   - seconds: when the program is ended.
    /// - Returns: its exit code and everything that was shown. If an expected text was never shown, it is missing
    ///   there.
    package func onTerminal(
        _ command: [String], _ steps: [(shown: String, action: TerminalAction)] = [], columns: Int = 200,
        seconds: Int = 90
    ) async throws -> Outcome {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        let actions = steps.map { step in
            switch step.action {
            case .type(let typed): [step.shown, "type", typed]
            case .typeShown(let pattern): [step.shown, "typeShown", pattern]
            case .touch(let path): [step.shown, "touch", path]
            case .resize(let columns, let rows): [step.shown, "resize", "\(rows) \(columns)"]
            }
        }
        return try await run(
            "/usr/bin/env",
            ["python3", "-c", Self.terminal, try text(command), try text(actions), String(columns), String(seconds)])
    }

    private static let terminal = #"""
        import fcntl, json, os, pty, re, select, struct, sys, termios, time
        command, steps = json.loads(sys.argv[1]), json.loads(sys.argv[2])
        process, terminal = pty.fork()
        if process == 0:
            # Before the program looks.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[3]), 0, 0))
            os.execvp(command[0], command)
        shown, seen, deadline = b"", 0, time.time() + int(sys.argv[4])
        while time.time() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                shown += data
            if steps and steps[0][0].encode() in shown[seen:]:
                seen = len(shown)
                _, what, value = steps.pop(0)
                if what == "type": os.write(terminal, value.encode())
                elif what == "typeShown": os.write(terminal, [m for m in re.finditer(value.encode(), shown)][-1][0] + b"\n")
                elif what == "resize": fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *map(int, value.split()), 0, 0))
                else: open(value, "w").close()
        else: os.kill(process, 15)
        sys.stdout.write(shown.decode(errors="replace"))
        sys.stdout.flush()
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        """#
}
