import DocentInterfaces
import Synchronization

/// The outcome of a claim request. One task waits for it, and it is settled once. Thread-safe.
package final class ClaimWait: Sendable {
    private struct State {
        var outcome: Result<Void, Failure>?
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the outcome. A second outcome is ignored.
    func settle(_ outcome: Result<Void, Failure>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume(with: outcome.mapError { $0 as any Error })
    }

    /// Returns when the claim was granted. It does not observe task cancellation: the caller cancels the claim instead.
    ///
    /// - Throws: ``Failure`` when the claim was not granted.
    func wait() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome = state.withLock { state -> Result<Void, Failure>? in
                if state.outcome == nil { state.continuation = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome.mapError { $0 as any Error }) }
        }
    }
}
