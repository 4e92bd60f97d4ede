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

    private enum Slot {
        case use(VarlinkConnection)
        case make
    }

    private struct Waiter {
        var number: UInt64
        var holder: ShareHolder?
        var continuation: CheckedContinuation<Slot, any Error>
    }

    private struct State {
        var idle: [VarlinkConnection] = []
        var busy = 0
        var shares = PrincipalShares(PrincipalLimits.providerCalls)
        var closed = false
        /// In the order of arrival. There is room for none of them.
        var waiters: [Waiter] = []
        var begun: UInt64 = 0

        /// Takes room for a call; nil when there is none for this holder.
        mutating func slot(for holder: ShareHolder?) -> Slot? {
            guard busy < PrincipalLimits.providerCalls.total else { return nil }
            if let holder, shares.take(1, for: holder) != nil { return nil }
            busy += 1
            return idle.popLast().map { .use($0) } ?? .make
        }

        /// Gives back the room of a call, and hands what is free to those who wait longest.
        ///
        /// - Returns: who is to go on, once the lock is released.
        mutating func release(_ holder: ShareHolder?) -> [(CheckedContinuation<Slot, any Error>, Slot)] {
            busy -= 1
            if let holder { shares.give(1, of: holder) }
            var served: [(CheckedContinuation<Slot, any Error>, Slot)] = []
            var waiting: [Waiter] = []
            for waiter in waiters {
                if let slot = slot(for: waiter.holder) {
                    served.append((waiter.continuation, slot))
                } else {
                    waiting.append(waiter)
                }
            }
            waiters = waiting
            return served
        }
    }

    private let control: VarlinkConnection
    private let connectMethod: String
    private let state = Mutex(State())
    /// How long a call waits for a free connection.
    private let patience: Duration
    /// How long the extension may take to take a further connection; then it hangs, and is ended.
    private let connectDeadline: Duration

    /// - Parameters:
    ///   - control: the first connection; it carries only `Connect`.
    ///   - interface: the interface whose `Connect` adds a connection.
    ///   - connectDeadline: how long the extension may take to answer that.
    ///   - patience: how long a call waits while as many run as there may be.
    package init(
        control: VarlinkConnection, interface: String, connectDeadline: Duration = .seconds(30),
        patience: Duration = .seconds(60)
    ) {
        self.control = control
        self.connectDeadline = connectDeadline
        self.patience = patience
        connectMethod = interface + ".Connect"
    }

    /// Calls in progress.
    package var busyCount: Int { state.withLock { $0.busy } }

    /// Calls that wait for one of those to end.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Whether the extension has hung up, or the pool is closed.
    package var isAbandoned: Bool { control.isAbandoned }

    /// Runs a body with a connection of its own; one whose call failed in transport is not used again.
    ///
    /// While a call of a client is answered it counts for the client's principal, which waits when it has its share
    /// (T4).
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
        switch try await slot(for: holder) {
        case .use(let connection): return connection
        case .make:
            do {
                // A call that is cancelled in here would close the connection that all others come over (T3), and with
                // it end the extension for everybody: this step is nobody's to cancel, and has a deadline.
                return try await Task { try await connect() }.value
            } catch {
                resume(state.withLock { $0.release(holder) })
                // Also when the end was noticed elsewhere first, which closes the connection at this end.
                if let transport = error as? VarlinkError, transport.code == .closed { throw Ended() }
                throw error
            }
        }
    }

    // More may run at a time than there are transfers of some domains, so that a listing does not wait for them.
    private func slot(for holder: ShareHolder?) async throws -> Slot {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let timer = Mutex<Task<Void, Never>?>(nil)
        defer { timer.withLock { $0?.cancel() } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Slot, any Error>? in
                    if state.closed { return .failure(Ended()) }
                    if let slot = state.slot(for: holder) { return .success(slot) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters.append(Waiter(number: number, holder: holder, continuation: continuation))
                    return nil
                }
                if let result { return continuation.resume(with: result) }
                let patience = patience
                let waiting = Task { [weak self] in
                    do { try await Task.sleep(for: patience) } catch { return }
                    self?.giveUp(number, Self.busyFailure)
                }
                timer.withLock { $0 = waiting }
            }
        } onCancel: {
            giveUp(number, CancellationError())
        }
    }

    private static var busyFailure: Failure {
        Failure(.unavailable, "The provider has too many calls in progress.", suggestion: "Try again later.")
    }

    private func giveUp(_ number: UInt64, _ error: any Error) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: error)
    }

    private func resume(_ served: [(CheckedContinuation<Slot, any Error>, Slot)]) {
        for (continuation, slot) in served { continuation.resume(returning: slot) }
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
        let (keep, served) = state.withLock { state in
            let keep = !state.closed && !connection.isClosed && state.idle.count < 8
            if keep { state.idle.append(connection) }
            return (keep, state.release(holder))
        }
        resume(served)
        if !keep { connection.close() }
    }

    /// Closes every connection; calls in progress end with an error, and calls that wait for a connection get none.
    package func close() {
        let (idle, waiters) = state.withLock { state in
            state.closed = true
            defer { (state.idle, state.waiters) = ([], []) }
            return (state.idle, state.waiters)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: Ended()) }
        for connection in idle { connection.close() }
        control.close()
    }
}
