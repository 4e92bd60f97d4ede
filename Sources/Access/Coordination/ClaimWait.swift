import DocentInterfaces
import Synchronization

/// What comes of a claim's request, waited for by one task and settled once. Thread-safe.
package final class ClaimWait: Sendable {
    private struct State {
        var outcome: Result<Void, Failure>?
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Says what came of it; a second word is not heard.
    func settle(_ outcome: Result<Void, Failure>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume(with: outcome.mapError { $0 as any Error })
    }

    /// Returns when it was granted. It does not look at the task's cancellation: who cancels has the claim cancelled.
    ///
    /// - Throws: ``Failure`` when it was not.
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
