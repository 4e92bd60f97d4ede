import CLinux
import Dispatch
import DocentInterfaces
import Glibc
import ProcessLaunching
import Synchronization
import Varlink

/// A child process in its own session. The end of its standard error and its exit are recorded.
///
/// Thread-safe. Dropping the last reference kills it and its children.
final class ChildProgram: Sendable {
    /// How a process ended.
    struct End: Sendable, Equatable {
        /// Its exit code; nil after a signal.
        var code: CInt?
        /// The signal that ended it.
        var signal: CInt?

        /// In words for people, to follow a subject.
        var text: String {
            if let code { return "ended with the code \(code)" }
            return signal.map(SignalText.killed) ?? "ended in an unknown way"
        }
    }

    private struct State {
        var end: End?
        var errorText: [UInt8] = []
        var waiters: [UInt64: CheckedContinuation<End?, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    /// Separate from the object, so that the watching thread holds no reference to it.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private static let keptOutput = 8 << 10

    /// Its process number, which belongs to the child until ``end`` is known.
    let process: Int32
    private let shared = Shared()

    /// Starts a program.
    ///
    /// - Parameter passing: descriptors that become its 3, 4, …; the caller still owns them.
    /// - Throws: `Failure` when it cannot be started.
    init(_ program: String, arguments: [String], environment: [String: String], passing: [CInt]) throws {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Failure(.failed, "No pipe can be made.") }
        let errors = OwnedDescriptor(ends[0])
        let inner = OwnedDescriptor(ends[1])
        var launch = ProgramLaunch(
            program, arguments, environment: .exactly(environment),
            descriptors: [.null, .null, .copy(inner.raw)] + passing.map { .copy($0) })
        // Its process group too, which is killed with it.
        launch.startsSession = true
        do {
            process = try launch.start()
        } catch {
            throw Failure(.failed, "\(PlainText.quoted(program)) cannot be started: \(error.reason).")
        }
        Self.watch(process: process, errors: errors.release(), shared)
    }

    deinit { kill() }

    /// How it ended; nil while it runs.
    var end: End? { shared.state.withLock { $0.end } }

    /// The end of its standard error.
    var errorText: String {
        let text = String(decoding: shared.state.withLock { $0.errorText }, as: UTF8.self)
        return String(text.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }

    /// Kills it with its whole process group.
    func kill() {
        shared.state.withLock { state in
            // Under the lock: it is also reaped under the lock, so the number still belongs to it.
            guard state.end == nil else { return }
            _ = Glibc.kill(-process, SIGKILL)
            _ = Glibc.kill(process, SIGKILL)
        }
    }

    /// Waits until it has ended; nil if it has not within that time.
    func waitForEnd(atMost limit: Duration) async -> End? {
        let shared = shared
        return await withCheckedContinuation { continuation in
            let (end, waiter) = shared.state.withLock { state -> (End?, UInt64) in
                state.nextWaiter += 1
                if state.end == nil { state.waiters[state.nextWaiter] = continuation }
                return (state.end, state.nextWaiter)
            }
            guard end == nil else { return continuation.resume(returning: end) }
            Task {
                try? await Task.sleep(for: limit)
                shared.state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: nil)
            }
        }
    }

    // One thread for both, so that its last output is there when its end is known. A descendant may keep standard error
    // open for longer.
    private static func watch(process: Int32, errors: CInt, _ shared: Shared) {
        DispatchQueue(label: "org.docent.validation.child").async {
            let errors = OwnedDescriptor(errors)
            let handle = OwnedDescriptor(clinux_pidfd_open(process, 0))
            clinux_set_status_flags(errors.raw, O_NONBLOCK)
            var isOpen = true
            var hasEnded = false
            while isOpen || !hasEnded {
                var watched = [
                    pollfd(fd: isOpen ? errors.raw : -1, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: hasEnded ? -1 : handle.raw, events: Int16(POLLIN), revents: 0),
                ]
                // If no descriptor is available for it, its end is polled for.
                let count = poll(&watched, 2, hasEnded || handle.raw >= 0 ? -1 : 20)
                guard count >= 0 || errno == EINTR || errno == EAGAIN else { break }
                if count > 0, isOpen, watched[0].revents != 0 { isOpen = keep(errors.raw, shared) != .end }
                guard !hasEnded, isOver(process) else { continue }
                hasEnded = true
                // As much as a pipe may hold; descendants may keep writing.
                for _ in 0..<32 where isOpen {
                    let rest = keep(errors.raw, shared)
                    isOpen = rest != .end
                    if rest == .nothing { break }
                }
                finish(process, shared)
            }
            if !hasEnded { finish(process, shared) }
        }
    }

    private enum Rest { case more, nothing, end }

    /// Reads once from its standard error.
    private static func keep(_ errors: CInt, _ shared: Shared) -> Rest {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = clinux_read(errors, &buffer, buffer.count)
        guard count > 0 else { return count == -Int(EAGAIN) ? .nothing : .end }
        shared.state.withLock { state in
            state.errorText += buffer[..<count]
            if state.errorText.count > keptOutput { state.errorText.removeFirst(state.errorText.count - keptOutput) }
        }
        return .more
    }

    /// Whether it has ended. It is not reaped here.
    private static func isOver(_ process: Int32) -> Bool {
        var ended = siginfo_t()
        return waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_signo != 0
    }

    private static func finish(_ process: Int32, _ shared: Shared) {
        let (end, waiters) = shared.state.withLock { state in
            var status: CInt = 0
            let isKnown = clinux_wait(process, &status) == 0
            let signal = status & 0x7F
            let end = !isKnown ? End(code: nil) : signal == 0 ? End(code: (status >> 8) & 0xFF) : End(signal: signal)
            state.end = end
            defer { state.waiters = [:] }
            return (end, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume(returning: end) }
    }
}
