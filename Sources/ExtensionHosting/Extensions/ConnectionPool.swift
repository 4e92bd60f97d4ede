import DocentInterfaces
import HostCore
import Synchronization
package import Varlink

/// The connections to one extension: a call has one of its own while it runs, so that a slow call never holds back
/// another (T2). The first is the socket pair the process was started with; further ones are passed over it.
///
/// Thread-safe.
package final class ConnectionPool: Sendable {
    /// There was no connection to be had, because the extension has ended: nothing of the call was sent.
    package struct Ended: Error {}

    private struct State {
        var idle: [VarlinkConnection]
        var busy = 0
        var shares = PrincipalShares(PrincipalLimits.providerCalls)
        var closed = false
    }

    private let control: VarlinkConnection
    private let connectMethod: String
    private let state: Mutex<State>
    /// Calls at the same time beyond which a further one waits for a free connection: more than the transfers of some domains, so
    /// that a listing does not wait for them.
    private let limit = PrincipalLimits.providerCalls.total
    /// How long one waits.
    private let patience = Duration.seconds(60)
    /// How long the extension may take to take a further connection; then it hangs, and is ended.
    private let connectDeadline: Duration

    /// - Parameters:
    ///   - control: the first connection; it carries only `Connect`.
    ///   - interface: the interface whose `Connect` adds a connection.
    ///   - connectDeadline: how long the extension may take to answer that.
    package init(control: VarlinkConnection, interface: String, connectDeadline: Duration = .seconds(30)) {
        self.control = control
        self.connectDeadline = connectDeadline
        connectMethod = interface + ".Connect"
        state = Mutex(State(idle: []))
    }

    /// Calls in progress.
    package var busyCount: Int { state.withLock { $0.busy } }

    /// Whether the extension has hung up, or the pool is closed.
    package var isAbandoned: Bool { control.isAbandoned }

    /// Runs a body with a connection of its own; one whose call failed in transport is not used again.
    ///
    /// While a call of a client is answered it counts for the client's principal, which waits when it has its share (T4).
    ///
    /// - Parameter isOwn: it is the daemon's own, whoever brought it about: it lasts longer than the call.
    /// - Throws: ``Ended``; ``Failure`` when there is no connection to be had; what the body throws.
    package func withConnection<Result>(
        isOwn: Bool = false, _ body: (VarlinkConnection) async throws -> Result
    ) async throws -> Result {
        let holder = isOwn ? nil : ShareHolder.current
        let connection = try await take(for: holder)
        defer { giveBack(connection, of: holder) }
        return try await body(connection)
    }

    private func take(for holder: ShareHolder?) async throws -> VarlinkConnection {
        let deadline = ContinuousClock.now + patience
        while true {
            enum Step { case use(VarlinkConnection), make, wait, closed }
            let step = state.withLock { state -> Step in
                if state.closed { return .closed }
                guard state.busy < limit else { return .wait }
                if let holder, state.shares.take(1, for: holder) != nil { return .wait }
                state.busy += 1
                return state.idle.popLast().map { .use($0) } ?? .make
            }
            switch step {
            case .use(let connection): return connection
            case .closed: throw Ended()
            case .wait:
                guard .now < deadline else {
                    throw Failure(
                        .unavailable, "The provider has too many calls in progress.", suggestion: "Try again later.")
                }
                try await Task.sleep(for: .milliseconds(2))
            case .make:
                do {
                    // A call that is cancelled in here would close the connection that all others come over (T3), and with
                    // it end the extension for everybody: this step is nobody's to cancel, and has a deadline.
                    return try await Task { try await connect() }.value
                } catch {
                    state.withLock { state in
                        state.busy -= 1
                        if let holder { state.shares.give(1, of: holder) }
                    }
                    // Also when the end was noticed elsewhere first, which closes the connection at this end.
                    if let transport = error as? VarlinkError, transport.code == .closed { throw Ended() }
                    throw error
                }
            }
        }
    }

    private func connect() async throws -> VarlinkConnection {
        var pair = try UnixSocket.pair()
        let descriptors = DescriptorList(try pair.takeSecond())
        let connection = VarlinkConnection(descriptor: try pair.takeFirst())
        let _: Reply<FileProviderInterface.Connect.Reply> = try await control.call(
            connectMethod, FileProviderInterface.Connect.Parameters(socket: 0), descriptors: descriptors,
            deadline: connectDeadline)
        return connection
    }

    private func giveBack(_ connection: VarlinkConnection, of holder: ShareHolder?) {
        let keep = state.withLock { state in
            state.busy -= 1
            if let holder { state.shares.give(1, of: holder) }
            guard !state.closed, !connection.isClosed, state.idle.count < 8 else { return false }
            state.idle.append(connection)
            return true
        }
        if !keep { connection.close() }
    }

    /// Closes every connection; calls in progress end with an error.
    package func close() {
        let idle = state.withLock { state in
            state.closed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
        control.close()
    }
}
