import Dispatch

/// Work that blocks, on a thread that is not the concurrency pool's.
package enum Blocking {
    /// Runs `work` on a queue of its own. It is not stopped by cancelling.
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "org.docent.validation.blocking").async {
                continuation.resume(with: Swift.Result { try work() })
            }
        }
    }
}
