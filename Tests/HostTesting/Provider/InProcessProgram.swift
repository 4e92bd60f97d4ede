import Dispatch
package import ExtensionHosting
import FileProvider
import Glibc
import Synchronization
package import Varlink

/// The SDK's own server in this process, over a socket pair, which the host takes for an extension's process.
///
/// Thread-safe.
package final class InProcessProgram: ExtensionProgram {
    private struct State {
        var exit: ExtensionExit?
        var excess: ExtensionExit.Excess?
        var waiters: [CheckedContinuation<ExtensionExit, Never>] = []
    }

    private let state = Mutex(State())
    private let socket: Mutex<UnixSocket.Pair>
    /// A further descriptor of the host's end: closing the connection through it reaches both ends.
    private let end: OwnedDescriptor

    init() throws {
        var pair = try UnixSocket.pair()
        end = try pair.first.duplicate()
        let server = try ExtensionServer(try pair.takeSecond())
        socket = Mutex(pair)
        // Blocks as long as the server runs.
        DispatchQueue(label: "org.docent.test.extension").async { [weak self] in
            server.wait()
            self?.finish(.exited(0))
        }
    }

    package var outermostProcess: Int32? { nil }
    package var pluginProcess: Int32? { nil }
    package var residentBytes: Int? { nil }
    package var errorText: String { "" }
    package var isRunning: Bool { state.withLock { $0.exit == nil } }

    package func takeSocket() -> OwnedDescriptor? { socket.withLock { try? $0.takeFirst() } }

    package func waitForExit() async -> ExtensionExit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiters.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    package func exit(within limit: Duration) async -> ExtensionExit? {
        // The server ends at once when its connection closes: there is no process to be collected.
        await waitForExit()
    }

    package func terminate() { hangUp() }

    package func terminate(for excess: ExtensionExit.Excess) {
        state.withLock { if $0.exit == nil { $0.excess = excess } }
        hangUp()
    }

    /// Ends it like a kill, in the middle of its calls.
    package func kill() {
        finish(.signalled(SIGKILL))
        hangUp()
    }

    private func hangUp() { shutdown(end.raw, CInt(SHUT_RDWR)) }

    private func finish(_ exit: ExtensionExit) {
        let (known, waiters) = state.withLock { state in
            let known = state.exit ?? state.excess.map { .exceeded($0) } ?? exit
            state.exit = known
            defer { state.waiters = [] }
            return (known, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: known) }
    }
}
