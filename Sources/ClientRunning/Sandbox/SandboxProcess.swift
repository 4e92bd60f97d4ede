import CConfinement
import CommandConsole
import Dispatch
import Documents
import Glibc
import ProcessLaunching
import Synchronization

/// A running sandbox. Everything in it ends with this process (S5): bubblewrap was started by a thread that waits for
/// its end, and ends with that thread; process 1 of its namespace ends with bubblewrap.
final class SandboxProcess: Sendable {
    /// How the sandbox ended.
    struct Ending: Sendable {
        /// The program's exit code, or 128 plus the number of its signal; nil if no program ran.
        var code: CInt?
    }

    /// What to start.
    struct Launch: Sendable {
        /// The path of bubblewrap.
        var sandbox: String
        var options: [String]
        var command: [String]
        /// Standard input, output and error.
        var streams: [CInt]
        /// Whether the system call filter allows network sockets.
        var network: Bool
    }

    /// The most files that a sandboxed process may have open (T4).
    static let openFiles: rlim_t = 4096

    private struct State {
        var sandbox: pid_t = 0
        var initial: Int32 = 0
        var code: CInt?
        var hasEnded = false
    }

    private let launch: Launch
    private let state = Mutex(State())
    private let endings = AsyncStream<Ending>.makeStream()
    /// Yields nil once the sandbox has started.
    private let starts = AsyncStream<DocumentsError?>.makeStream()

    private init(_ launch: Launch) { self.launch = launch }

    /// Starts the sandbox.
    ///
    /// - Throws: ``DocumentsError`` `unavailable`.
    static func start(_ launch: Launch) async throws -> SandboxProcess {
        let process = SandboxProcess(launch)
        guard Thread.start({ process.runThread() }) else {
            throw DocumentsError(.unavailable, "A thread cannot be started.")
        }
        for await case let error? in process.starts.stream { throw error }
        return process
    }

    /// Waits for the sandbox's end. Call it once.
    func ending() async -> Ending {
        for await ending in endings.stream { return ending }
        return Ending(code: nil)
    }

    /// Sends a signal to the program. If there is no program within two seconds, the sandbox is killed.
    func send(_ signal: CInt) {
        for _ in 0..<200 {
            let (initial, hasEnded) = state.withLock { ($0.initial, $0.hasEnded) }
            if hasEnded { return }
            if initial > 0, let program = Self.firstChild(of: initial) {
                kill(program, signal)
                return
            }
            usleep(10_000)
        }
        end()
    }

    /// Waits until the program runs: then the sandbox has everything that it shows.
    ///
    /// - Returns: false if it has ended before.
    func hasProgram() async -> Bool {
        while true {
            let (initial, hasEnded) = state.withLock { ($0.initial, $0.hasEnded) }
            if hasEnded { return false }
            if initial > 0, Self.firstChild(of: initial) != nil { return true }
            // Not cancelled: the end of the sandbox ends it.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
            }
        }
    }

    /// Kills the sandbox.
    func end() {
        state.withLock { state in
            // The process has not been waited for, so the number is still its own.
            if state.sandbox > 0, !state.hasEnded { kill(state.sandbox, SIGKILL) }
        }
    }

    // MARK: The thread

    private func runThread() {
        var arguments: [CInt] = [-1, -1]
        var status: [CInt] = [-1, -1]
        let filter: CInt
        do {
            // For this thread, and so for everything that it starts.
            try ClientConfinement.leaveSession()
            filter = try ClientConfinement.filter(network: launch.network)
        } catch { return fail(error) }
        defer { close(filter) }
        guard pipe(&arguments) == 0, pipe(&status) == 0 else { return fail(notStarted(LaunchFailure(code: errno))) }
        for end in arguments + status { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let options = ["--args", "3", "--json-status-fd", "4", "--seccomp", "5", "--"]
        let descriptors = launch.streams + [arguments[0], status[1], filter]
        let process: pid_t
        do {
            defer {
                close(arguments[0])
                close(status[1])
            }
            process = try SandboxSpawn.start(
                launch.sandbox, options + launch.command, descriptors: descriptors.map { .copy($0) })
        } catch {
            close(arguments[1])
            close(status[0])
            return fail(notStarted(error))
        }
        state.withLock { $0.sandbox = process }
        // bubblewrap still waits for its options, so the limits apply to everything that it starts.
        SandboxSpawn.limitOpenFiles(of: process, to: Self.openFiles)
        confinement_limit_process(process)
        let text = Array(launch.options.map { $0 + "\0" }.joined().utf8)
        try? ContentPump.write(text, to: arguments[1])
        close(arguments[1])
        starts.continuation.yield(nil)
        starts.continuation.finish()
        readStatus(status[0])
        close(status[0])
        finish(process)
    }

    private func notStarted(_ failure: LaunchFailure) -> DocumentsError {
        DocumentsError(
            .unavailable, "\(launch.sandbox) cannot be started: \(failure.reason).",
            suggestion: "Install bubblewrap; `docent doctor` says whether it works.")
    }

    private func fail(_ error: DocumentsError) {
        starts.continuation.yield(error)
        starts.continuation.finish()
        endings.continuation.finish()
    }

    private func finish(_ process: pid_t) {
        var information = siginfo_t()
        // Collected under the lock, so that no signal goes to a number that is used again.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let code = state.withLock { state -> CInt? in
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            state.hasEnded = true
            return state.code
        }
        endings.continuation.yield(Ending(code: code))
        endings.continuation.finish()
    }

    /// Reads what bubblewrap reports until it ends.
    private func readStatus(_ descriptor: CInt) {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                note(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
    }

    private func note(_ line: String) {
        switch SandboxStatus(line) {
        case .started(let process): state.withLock { $0.initial = process }
        case .exited(let code): state.withLock { $0.code = code }
        case nil: break
        }
    }

    /// The program is the first child of the namespace's process 1. Children that it inherits later come after that.
    private static func firstChild(of process: pid_t) -> pid_t? {
        let file = open("/proc/\(process)/task/\(process)/children", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return pid_t(String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }
}
