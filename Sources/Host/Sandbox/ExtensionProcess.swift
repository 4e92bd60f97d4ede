import CLinux
package import DocentInterfaces
import Foundation
import Glibc
import Synchronization
package import Varlink

/// One extension's process: started in its sandbox, watched until it ends.
///
/// Thread-safe. Its socket is taken once, with ``takeSocket()``; releasing the object ends the process by its lifeline.
/// One thread of its own watches it; nothing here blocks the cooperative pool.
package final class ExtensionProcess: Sendable {
    package typealias Exit = ExtensionExit

    private struct State {
        var socket: CInt
        var isTerminating = false
        var isReaped = false
        var exit: Exit?
        var landlockVersion: Int?
        var errorText: [UInt8] = []
        var waiters: [CheckedContinuation<Exit, Never>] = []
    }

    /// What the watching thread shares with this object, so that it holds no reference to the object itself: giving up
    /// the last one ends the process.
    private final class Shared: Sendable {
        let state: Mutex<State>
        init(socket: CInt) { state = Mutex(State(socket: socket)) }
    }

    /// Process identifier of the outermost process.
    package let processIdentifier: Int32
    private let lifeline: CInt
    private let shared: Shared

    private init(processIdentifier: Int32, socket: CInt, lifeline: CInt) {
        self.processIdentifier = processIdentifier
        self.lifeline = lifeline
        shared = Shared(socket: socket)
    }

    deinit {
        _ = takeSocket()
        // The watching thread has its own copy, so closing would not reach the other end.
        shutdown(lifeline, CInt(SHUT_WR))
        close(lifeline)
    }

    /// Starts an extension.
    ///
    /// - Throws: ``Failure`` `Unavailable` when the program cannot be started, bubblewrap included. A layer that turns
    ///   out to be missing later is no error here: the process ends with ``ExtensionExit/isRefusal``.
    package static func start(_ profile: SandboxProfile) throws(Failure) -> ExtensionProcess {
        try start(profile, isCheck: false)
    }

    /// - Parameter isCheck: closes the sandbox and ends, without loading a library.
    static func start(_ profile: SandboxProfile, isCheck: Bool) throws(Failure) -> ExtensionProcess {
        guard let channels = ExtensionChannels() else {
            throw Failure(.unavailable, "No socket can be made for the extension.", suggestion: "Close some programs.")
        }
        defer { channels.closeInner() }
        let system = SystemLayout.current()
        let program = profile.isUnsandboxed ? profile.hostProgram : SandboxProbe.bubblewrap
        var arguments =
            profile.isUnsandboxed
            ? profile.hostArguments(socket: 3, lifeline: 4, system: system)
            : profile.bubblewrapArguments(socket: 3, lifeline: 4, system: system)
        arguments.insert(program, at: 0)
        if isCheck { arguments.append("--check") }
        var process: Int32 = 0
        let result = spawn(program, arguments, profile.environment, channels.inner, &process)
        // A duplicate for the thread: its life does not hang on this object's.
        let watched = clinux_dup(channels.lifeline.outer)
        guard result == 0, watched >= 0 else {
            channels.closeOuter()
            throw Failure(
                .unavailable, "\(program) cannot be started: \(String(cString: strerror(-result))).",
                suggestion: "`docent doctor` explains what the sandbox needs.")
        }
        let started = ExtensionProcess(
            processIdentifier: process, socket: channels.socket.outer, lifeline: channels.lifeline.outer)
        started.watch(lifeline: watched, errors: channels.errors.outer, isSandboxed: !profile.isUnsandboxed)
        return started
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ descriptors: [CInt],
        _ process: inout Int32
    ) -> CInt {
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environmentPointers: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        return clinux_spawn_piped(
            program, &argumentPointers, &environmentPointers, descriptors, descriptors.count, &process)
    }

    /// The extension's socket, given away once.
    package func takeSocket() -> OwnedDescriptor? {
        let socket = shared.state.withLock { state in
            defer { state.socket = -1 }
            return state.socket
        }
        return socket >= 0 ? OwnedDescriptor(socket) : nil
    }

    /// The last 4 KiB of what it wrote to standard output and error.
    package var errorText: String {
        String(decoding: shared.state.withLock { $0.errorText }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether it runs.
    package var isRunning: Bool { shared.state.withLock { $0.exit == nil } }

    /// Landlock's version around the plugin, 0 where the kernel has none; nil without a sandbox or before it is closed.
    package var landlockVersion: Int? { shared.state.withLock { $0.landlockVersion } }

    /// Waits until it has ended.
    package func waitForExit() async -> Exit {
        await withCheckedContinuation { continuation in
            let ended = shared.state.withLock { state in
                if state.exit == nil { state.waiters.append(continuation) }
                return state.exit
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// Ends it and all that it started: gives up the lifeline, and kills what is left after a second.
    package func terminate() {
        let isFirst = shared.state.withLock { state in
            defer { state.isTerminating = true }
            return !state.isTerminating
        }
        guard isFirst else { return }
        shutdown(lifeline, CInt(SHUT_WR))
        let shared = shared
        let process = processIdentifier
        Task.detached {
            try? await Task.sleep(for: .seconds(1))
            // Under the lock the number still belongs to this process: it is reaped under it too.
            shared.state.withLock { state in
                guard !state.isReaped else { return }
                for inner in ProcessTree.descendants(of: process) + [process] { kill(inner, SIGKILL) }
            }
        }
    }

    /// Bytes that it and what it started hold resident; nil when that cannot be read.
    package var residentBytes: Int? { ProcessTree.residentBytes(of: processIdentifier) }

    // Drains standard error, so that a chatty extension never blocks, until the supervisor's end of the lifeline closes.
    private func watch(lifeline: CInt, errors: CInt, isSandboxed: Bool) {
        let shared = shared
        let process = processIdentifier
        Thread.detachNewThread {
            var report = LifelineReport()
            var isLifelineOpen = true
            var isErrorOpen = true
            while isLifelineOpen {
                var watched = [
                    pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: isErrorOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { break }
                if watched[1].revents != 0 { isErrorOpen = Self.read(errors) { Self.keep($0, in: shared) } }
                if watched[0].revents != 0 {
                    isLifelineOpen = Self.read(lifeline) { report.append($0) }
                    shared.state.withLock { $0.landlockVersion = report.landlockVersion }
                }
            }
            let outermost = Self.reap(process, shared)
            clinux_set_status_flags(errors, O_NONBLOCK)
            while isErrorOpen { isErrorOpen = Self.read(errors) { Self.keep($0, in: shared) } }
            close(errors)
            close(lifeline)
            Self.finish(report.judge(outermost, isSandboxed: isSandboxed), shared)
        }
    }

    // False at the end, and where nothing more will come.
    private static func read(_ descriptor: CInt, _ taken: (ArraySlice<UInt8>) -> Void) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = clinux_read(descriptor, &buffer, buffer.count)
        if count > 0 { taken(buffer[..<count]) }
        return count > 0
    }

    private static func reap(_ process: Int32, _ shared: Shared) -> Exit {
        var ended = siginfo_t()
        while waitid(P_PID, id_t(process), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return shared.state.withLock { state in
            var status: CInt = 0
            state.isReaped = true
            return clinux_wait(process, &status) >= 0 ? ExtensionExit(waitStatus: status) : .exited(-1)
        }
    }

    private static func keep(_ text: ArraySlice<UInt8>, in shared: Shared) {
        shared.state.withLock { state in
            state.errorText += text
            if state.errorText.count > 4096 { state.errorText.removeFirst(state.errorText.count - 4096) }
        }
    }

    private static func finish(_ exit: Exit, _ shared: Shared) {
        let waiters = shared.state.withLock { state in
            state.exit = exit
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: exit) }
    }
}
