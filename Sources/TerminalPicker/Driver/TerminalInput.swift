import CommandConsole
import Glibc
import Synchronization

/// Reads a terminal on a thread of its own.
final class TerminalInput: Sendable {
    /// What came from the terminal.
    enum Received: Sendable {
        case key(Key)
        case line(String)
        case resized
        /// Somebody wants this program to stop.
        case stopped
        case continued
        /// The terminal has gone.
        case ended
    }

    private struct State {
        var isRunning = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// How long an escape byte waits for the rest of a sequence, in milliseconds. A slow line splits sequences.
    private static let patience: CInt = 100
    private static let longestLine = 1 << 14

    private let terminal: TerminalDevice
    private let stopping: (reading: CInt, writing: CInt)
    private let state = Mutex(State())

    init(_ terminal: TerminalDevice) {
        self.terminal = terminal
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        stopping = (ends[0], ends[1])
    }

    deinit { for end in [stopping.reading, stopping.writing] { close(end) } }

    /// Reads until ``stop()``, or until the terminal has gone.
    func start(_ receive: @escaping @Sendable (Received) -> Void) {
        state.withLock { $0.isRunning = true }
        let hasStarted = Thread.start { [self] in
            read(receive)
            let waiters = state.withLock { state in
                state.isRunning = false
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
        if !hasStarted {
            state.withLock { $0.isRunning = false }
            receive(.ended)
        }
    }

    /// Stops reading. Whoever reads the terminal next gets everything that is typed from then on.
    func stop() async {
        var byte: UInt8 = 1
        _ = write(stopping.writing, &byte, 1)
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.isRunning { state.waiters.append(continuation) }
                return state.isRunning
            }
            if !isRunning { continuation.resume() }
        }
        while Glibc.read(stopping.reading, &byte, 1) == 1 {}
    }

    private func read(_ receive: (Received) -> Void) {
        var decoder = KeyDecoder()
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var entries = [terminal.descriptor, TerminalSignals.descriptor, stopping.reading].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&entries, 3, decoder.isPending ? Self.patience : -1)
            if count < 0, errno != EINTR { return receive(.ended) }
            if count == 0 { for key in decoder.flush() { receive(.key(key)) } }
            guard count > 0 else { continue }
            if entries[2].revents != 0 { return }
            if entries[1].revents != 0 { tell(TerminalSignals.take(), receive) }
            guard entries[0].revents != 0 else { continue }
            let size = Glibc.read(terminal.descriptor, &buffer, buffer.count)
            if size < 0, errno == EINTR || errno == EAGAIN { continue }
            guard size > 0 else { return receive(.ended) }
            switch terminal.kind {
            case .drawing: for key in decoder.feed(buffer.prefix(size)) { receive(.key(key)) }
            case .lines:
                for byte in buffer.prefix(size) {
                    if byte == UInt8(ascii: "\n") {
                        receive(.line(String(decoding: line, as: UTF8.self)))
                        line = []
                    } else if line.count < Self.longestLine {
                        line.append(byte)
                    }
                }
            }
        }
    }

    private func tell(_ signals: Set<CInt>, _ receive: (Received) -> Void) {
        if signals.contains(SIGWINCH) { receive(.resized) }
        if signals.contains(SIGTSTP) { receive(.stopped) }
        if signals.contains(SIGCONT) { receive(.continued) }
    }
}
