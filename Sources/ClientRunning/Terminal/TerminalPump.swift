import CommandConsole
import Dispatch
import Glibc
import Synchronization

/// Carries what is typed to the program's terminal and what it shows to the user's, on a thread of its own.
///
/// While the user is asked something it rests: what is typed then is the answer's and never the program's, and the program shows
/// nothing; it waits once its own terminal is full.
final class TerminalPump: Sendable {
    private struct State {
        var wantsRest = false
        /// Whether the thread rests, until it goes on again.
        var isResting = false
        var isEnding = false
        /// What the program has made of the terminal.
        var tracker = TerminalTracker()
    }

    private let terminal: PseudoTerminal
    /// The user's terminal, when the program's input is one; −1 when it has another.
    private let input: CInt
    private let output: CInt
    private let state = Mutex(State())
    private let wakeUp: (reading: CInt, writing: CInt)
    private let rested = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let saved: Mutex<termios?>
    private let kind: QuestionScreen.Kind

    /// Starts it, and switches the user's terminal to raw.
    init(_ terminal: PseudoTerminal, input: CInt, output: CInt, kind: QuestionScreen.Kind = .plain) {
        self.terminal = terminal
        self.kind = kind
        self.input = input
        self.output = output
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp = (ends[0], ends[1])
        var settings = termios()
        saved = Mutex(input >= 0 && tcgetattr(input, &settings) == 0 ? settings : nil)
        setRaw(true)
        if !Thread.start({ self.runThread() }) {
            state.withLock { $0.isEnding = true }
            ended.signal()
        }
    }

    deinit {
        close(wakeUp.reading)
        close(wakeUp.writing)
    }

    /// Takes over the size of the user's terminal.
    func resize() { terminal.copySize(of: output) }

    /// The settings of the user's terminal before it was switched to raw; nil where it was not.
    var original: termios? { input >= 0 ? saved.withLock { $0 } : nil }

    /// What the program has made of the terminal; while it rests this does not change.
    var tracker: TerminalTracker { state.withLock { $0.tracker } }

    /// Rests; returns when it does. What was typed and has not reached the program is thrown away.
    func rest() {
        // The thread may not have seen yet that it was to go on: then it rests still, and tells nobody again.
        let isAwaited = state.withLock { state in
            state.wantsRest = true
            return !state.isResting && !state.isEnding
        }
        if isAwaited {
            wake()
            rested.wait()
        }
    }

    /// Goes on. The program is told to show itself anew.
    func goOn() {
        setRaw(true)
        terminal.askForRepaint()
        state.withLock { $0.wantsRest = false }
        wake()
    }

    /// Shows what is left, and leaves the user's terminal as it was.
    func finish() {
        state.withLock { $0.isEnding = true }
        wake()
        ended.wait()
        setRaw(false)
    }

    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeUp.writing, &byte, 1)
    }

    private func setRaw(_ isRaw: Bool) {
        guard input >= 0, var settings = saved.withLock({ $0 }) else { return }
        if isRaw { cfmakeraw(&settings) }
        tcsetattr(input, TCSADRAIN, &settings)
    }

    // MARK: The thread

    private func runThread() {
        var typed: [UInt8] = []
        var readsInput = input >= 0
        while true {
            let (isResting, isEnding) = state.withLock { state in
                // Whoever waits is told, at the end too.
                if state.wantsRest, !state.isResting { rested.signal() }
                state.isResting = state.wantsRest
                return (state.isResting, state.isEnding)
            }
            if isResting { typed = [] }
            if isEnding { break }
            var entries = [
                pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: isResting ? -1 : terminal.main, events: Int16(POLLIN) | (typed.isEmpty ? 0 : Int16(POLLOUT)),
                    revents: 0),
                pollfd(
                    fd: readsInput && !isResting && typed.count < 4096 ? input : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 3, -1) > 0 else { continue }
            if entries[0].revents != 0 {
                var byte: UInt8 = 0
                _ = read(wakeUp.reading, &byte, 1)
                continue
            }
            if entries[1].revents & Int16(POLLIN) != 0 { _ = show() }
            if entries[1].revents & Int16(POLLOUT) != 0 {
                let count = write(terminal.main, typed, typed.count)
                if count > 0 { typed.removeFirst(count) }
            }
            if entries[2].revents != 0 { readsInput = take(&typed) }
        }
        while show() {}
        let ending = QuestionScreen.leave(state.withLock { $0.tracker }, kind)
        if !ending.isEmpty { try? ContentPump.write(Array(ending.utf8), to: output) }
        ended.signal()
    }

    /// Carries one piece to the user's terminal; false when there is none.
    private func show() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(terminal.main, &buffer, buffer.count)
        guard count > 0 else { return false }
        state.withLock { $0.tracker.note(buffer[..<count]) }
        try? ContentPump.write(buffer[..<count], to: output)
        return true
    }

    /// Takes what was typed; false when no more can come.
    private func take(_ typed: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(input, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        typed += buffer[..<count]
        return count > 0
    }
}
