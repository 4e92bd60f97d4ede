import CommandConsole
import Dispatch
import Glibc
import Synchronization

/// Carries typed input to the program's terminal, and its output to the user's, on a separate thread.
///
/// It rests while the user is asked something: input then belongs to the answer and never to the program, and the
/// program shows nothing. The program blocks once its own terminal is full.
final class TerminalPump: Sendable {
    private struct State {
        var wantsRest = false
        /// Whether the thread is resting.
        var isResting = false
        var isEnding = false
        /// What the program has done to the terminal.
        var tracker = TerminalTracker()
    }

    private let terminal: PseudoTerminal
    /// The user's terminal, if the program's input is a terminal; otherwise −1.
    private let input: CInt
    private let output: CInt
    private let state = Mutex(State())
    private let wakeUp: (reading: CInt, writing: CInt)
    private let rested = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let saved: Mutex<termios?>
    private let kind: QuestionScreen.Kind

    /// Starts the thread, and switches the user's terminal to raw mode.
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

    /// Copies the size of the user's terminal.
    func resize() { terminal.copySize(of: output) }

    /// The settings of the user's terminal before raw mode; nil if it was not switched.
    var original: termios? { input >= 0 ? saved.withLock { $0 } : nil }

    /// What the program has done to the terminal. It does not change during a rest.
    var tracker: TerminalTracker { state.withLock { $0.tracker } }

    /// Starts a rest; returns when the thread rests. Typed input that has not reached the program is discarded.
    func rest() {
        // The thread may not have seen yet that it should go on. It is then still resting, and does not signal again.
        let isAwaited = state.withLock { state in
            state.wantsRest = true
            return !state.isResting && !state.isEnding
        }
        if isAwaited {
            wake()
            rested.wait()
        }
    }

    /// Ends a rest. The program is asked to redraw.
    func goOn() {
        setRaw(true)
        terminal.askForRepaint()
        state.withLock { $0.wantsRest = false }
        wake()
    }

    /// Shows the remaining output, and restores the user's terminal.
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
                // The waiting caller is signalled, also at the end.
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

    /// Carries one piece of output to the user's terminal; false if there is none.
    private func show() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(terminal.main, &buffer, buffer.count)
        guard count > 0 else { return false }
        state.withLock { $0.tracker.note(buffer[..<count]) }
        try? ContentPump.write(buffer[..<count], to: output)
        return true
    }

    /// Reads typed input; false if no more can come.
    private func take(_ typed: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(input, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        typed += buffer[..<count]
        return count > 0
    }
}
