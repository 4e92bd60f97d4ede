import Synchronization

/// Withdraws a read or save that is still waiting for its turn. Thread-safe.
package final class AccessCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var withdraw: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether cancellation was requested; the access may still have completed.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Requests cancellation. An access that already has its turn continues.
    package func cancel() {
        let withdraw = state.withLock { state in
            state.isCancelled = true
            return state.withdraw
        }
        withdraw?()
    }

    /// Sets how to withdraw the access; runs it at once if cancellation was already requested.
    package func attach(_ withdraw: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.withdraw = withdraw
            return state.isCancelled
        }
        if isCancelled { withdraw() }
    }
}
