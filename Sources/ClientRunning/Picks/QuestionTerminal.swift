import CommandConsole
import Glibc
import Synchronization

/// The user's terminal while a question is asked on it. Every call blocks.
final class QuestionTerminal: Sendable {
    /// The answer, or what came instead of it.
    enum Typed: Equatable {
        case line(String)
        /// Longer than an answer may be, and discarded.
        case tooLong
        /// The end of input.
        case end
        /// The request no longer waits.
        case noneWanted
    }

    private let terminal: CInt
    private let kind: QuestionScreen.Kind
    private let before = Mutex<termios?>(nil)
    /// How long the terminal must be silent before typed input counts, in milliseconds. By then, a person who was
    /// typing has seen the question, and the terminal has replied to the program's queries.
    private static let quiet: CInt = 250
    /// The most bytes in a line; the kernel's own lines are shorter.
    private static let longest = 1 << 14

    init(_ terminal: CInt, kind: QuestionScreen.Kind) {
        self.terminal = terminal
        self.kind = kind
    }

    /// Shows a question on its own screen, and discards what was typed before it appeared.
    ///
    /// - Parameters:
    ///   - lines: each no longer than a line of the terminal.
    ///   - settings: how a line is typed; nil for the terminal's current settings.
    ///   - isWanted: whether the request still waits.
    func open(_ lines: [String], _ tracker: TerminalTracker, _ settings: termios?, isWanted: () -> Bool) {
        var current = termios()
        let hasSettings = tcgetattr(terminal, &current) == 0
        before.withLock { $0 = hasSettings ? current : nil }
        // Not line by line, so that half a line is seen and discarded too; and without echo.
        var silent = current
        silent.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        if hasSettings { tcsetattr(terminal, TCSADRAIN, &silent) }
        // Without a separate screen, the question at least starts on a new line.
        let opening = kind == .plain ? "\r\n" : QuestionScreen.open(tracker, kind)
        write(opening + lines.map { $0 + "\r\n" }.joined())
        tcdrain(terminal)
        repeat { tcflush(terminal, TCIFLUSH) } while hasMore(within: Self.quiet) && isWanted()
        var typing = settings ?? current
        if hasSettings { tcsetattr(terminal, TCSAFLUSH, &typing) }
        write(QuestionScreen.typing(kind))
    }

    /// Restores the terminal as the program had it.
    func close(_ tracker: TerminalTracker) {
        try? ContentPump.write(QuestionScreen.close(tracker, kind), to: terminal)
        if var settings = before.withLock({ $0 }) { tcsetattr(terminal, TCSAFLUSH, &settings) }
    }

    /// Waits for a line. A line that was typed before the request stopped waiting is returned.
    func line(isWanted: () -> Bool) -> Typed {
        var bytes: [UInt8] = []
        var isTooLong = false
        while true {
            guard events(within: 100) != 0 else {
                guard isWanted() else { return .noneWanted }
                continue
            }
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            // Half a line is not an answer.
            if count != 1 { return .end }
            if byte == UInt8(ascii: "\n") { break }
            if bytes.count < Self.longest { bytes.append(byte) } else { isTooLong = true }
        }
        return isTooLong ? .tooLong : .line(String(decoding: bytes, as: UTF8.self))
    }

    func write(_ text: String) { try? ContentPump.write(Array(text.utf8), to: terminal) }

    /// Whether something was typed; false if the terminal is gone.
    private func hasMore(within milliseconds: CInt) -> Bool { events(within: milliseconds) == Int16(POLLIN) }

    private func events(within milliseconds: CInt) -> Int16 {
        var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 ? entry.revents : 0
    }
}
