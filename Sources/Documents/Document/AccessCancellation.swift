import Synchronization

/// Withdraws a read or save that still waits for its turn. Thread-safe.
package final class AccessCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var withdraw: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether it was asked for; the access may have been quicker.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asks for it. An access that has its turn already goes on.
    package func cancel() {
        let withdraw = state.withLock { state in
            state.isCancelled = true
            return state.withdraw
        }
        withdraw?()
    }

    /// Says how; at once if it was asked for already.
    package func attach(_ withdraw: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.withdraw = withdraw
            return state.isCancelled
        }
        if isCancelled { withdraw() }
    }
}
