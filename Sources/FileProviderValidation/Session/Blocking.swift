import Dispatch

/// Runs blocking work outside the concurrency pool.
package enum Blocking {
    /// Runs `work` on a separate queue. Cancellation does not stop it.
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "org.docent.validation.blocking").async {
                continuation.resume(with: Swift.Result { try work() })
            }
        }
    }
}
