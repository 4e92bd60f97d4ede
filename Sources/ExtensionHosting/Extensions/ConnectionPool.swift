import DocentInterfaces
import HostCore
import Synchronization
package import Varlink

/// The connections to one extension. Each running call has its own, so that a slow call never delays another (T2). The
/// first is the socket pair that the process was started with; further ones are passed over it.
///
/// Thread-safe.
package final class ConnectionPool: Sendable {
    /// No connection could be made because the extension has ended: nothing of the call was sent.
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
        /// In order of arrival. None of them can be served yet.
        var waiters: [Waiter] = []
        var begun: UInt64 = 0

        /// Reserves a slot for a call; nil when none is free for this holder.
        mutating func slot(for holder: ShareHolder?) -> Slot? {
            guard busy < PrincipalLimits.providerCalls.total else { return nil }
            if let holder, shares.take(1, for: holder) != nil { return nil }
            busy += 1
            return idle.popLast().map { .use($0) } ?? .make
        }

        /// Releases the slot of a call, and gives free slots to those that have waited longest.
        ///
        /// - Returns: the continuations to resume once the lock is released.
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
    /// How long the extension may take to accept another connection; after that it counts as hung, and is ended.
    private let connectDeadline: Duration

    /// - Parameters:
    ///   - control: the first connection; it carries only `Connect`.
    ///   - interface: the interface whose `Connect` adds a connection.
    ///   - connectDeadline: how long the extension may take to answer `Connect`.
    ///   - patience: how long a call waits while the maximum number of calls is running.
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

    /// Calls that wait for a slot.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Whether the extension has hung up, or the pool is closed.
    package var isAbandoned: Bool { control.isAbandoned }

    /// Runs a body with its own connection. A connection that failed in transport is not used again.
    ///
    /// While a client's call is answered, the body counts towards the client's principal, which waits once its share is
    /// used up (T4).
    ///
    /// - Parameter isOwn: whether the call is the daemon's own and outlives the client's call that caused it.
    /// - Throws: ``Ended``; ``Failure`` when no connection is available; what the body throws.
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
                // Cancelling here would close the connection that all others are passed over (T3), and so end the
                // extension for everyone. This step cannot be cancelled; it has a deadline.
                return try await Task { try await connect() }.value
            } catch {
                resume(state.withLock { $0.release(holder) })
                // Also when the end was noticed elsewhere first, which closes the connection at this end.
                if let transport = error as? VarlinkError, transport.code == .closed { throw Ended() }
                throw error
            }
        }
    }

    // More calls may run at a time than some domains have transfers, so that a listing does not wait for transfers.
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
