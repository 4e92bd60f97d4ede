import CLinux
import Dispatch
import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A child process in a session of its own: the last of its standard error is kept, and its end is noted.
///
/// Thread-safe. Dropping the last reference kills it and what it started.
final class ChildProgram: Sendable {
    /// How a process ended.
    struct End: Sendable, Equatable {
        /// Its exit code; nil after a signal.
        var code: CInt?
        /// The signal that ended it.
        var signal: CInt?

        /// In words for people, after a subject.
        var text: String {
            if let code { return "ended with the code \(code)" }
            return signal.map(SignalText.killed) ?? "ended, nobody knows how"
        }
    }

    private struct State {
        var end: End?
        var errorText: [UInt8] = []
        var waiters: [UInt64: CheckedContinuation<End?, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    /// Apart from the object, so that the threads that watch hold no reference to that.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private static let keptOutput = 8 << 10

    /// Its number. Belongs to the child until ``end`` is known.
    let process: Int32
    private let shared = Shared()

    /// Starts a program.
    ///
    /// - Parameter passing: descriptors that become its 3, 4, …; the caller keeps them.
    /// - Throws: `Failure` when it cannot be started.
    init(_ program: String, arguments: [String], environment: [String: String], passing: [CInt]) throws {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Failure(.failed, "No pipe can be made.") }
        let errors = OwnedDescriptor(ends[0])
        let inner = OwnedDescriptor(ends[1])
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var environmentPointers: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        let descriptors = [inner.raw] + passing
        var started: CInt = 0
        let result = clinux_spawn_piped(
            program, &argumentPointers, &environmentPointers, descriptors, descriptors.count, &started)
        guard result == 0 else {
            throw Failure(
                .failed, "\(PlainText.quoted(program)) cannot be started: \(String(cString: strerror(-result))).")
        }
        process = started
        Self.watch(process: started, errors: errors.release(), shared)
    }

    deinit { kill() }

    /// How it ended; nil while it runs.
    var end: End? { shared.state.withLock { $0.end } }

    /// The last of what it wrote to standard error.
    var errorText: String {
        let text = String(decoding: shared.state.withLock { $0.errorText }, as: UTF8.self)
        return String(text.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }

    /// Ends it at once, with all of its session's first process group.
    func kill() {
        shared.state.withLock { state in
            // Under the lock the number still belongs to it: it is reaped under it too.
            guard state.end == nil else { return }
            _ = Glibc.kill(-process, SIGKILL)
            _ = Glibc.kill(process, SIGKILL)
        }
    }

    /// Waits until it has ended; nil when it has not within that time.
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

    private static func watch(process: Int32, errors: CInt, _ shared: Shared) {
        DispatchQueue(label: "org.docent.validation.errors").async {
            let descriptor = OwnedDescriptor(errors)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = clinux_read(descriptor.raw, &buffer, buffer.count)
                guard count > 0 else { break }
                shared.state.withLock { state in
                    state.errorText += buffer[..<count]
                    if state.errorText.count > keptOutput {
                        state.errorText.removeFirst(state.errorText.count - keptOutput)
                    }
                }
            }
        }
        DispatchQueue(label: "org.docent.validation.child").async {
            let handle = OwnedDescriptor(clinux_pidfd_open(process, 0))
            var entry = pollfd(fd: handle.raw, events: Int16(POLLIN), revents: 0)
            while handle.raw >= 0, poll(&entry, 1, -1) < 0, errno == EINTR {}
            let (end, waiters) = shared.state.withLock { state in
                var status: CInt = 0
                let isKnown = clinux_wait(process, &status) == 0
                let signal = status & 0x7F
                let end =
                    !isKnown ? End(code: nil) : signal == 0 ? End(code: (status >> 8) & 0xFF) : End(signal: signal)
                state.end = end
                defer { state.waiters = [:] }
                return (end, Array(state.waiters.values))
            }
            for waiter in waiters { waiter.resume(returning: end) }
        }
    }
}
