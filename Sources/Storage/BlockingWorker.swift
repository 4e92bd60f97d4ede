import Dispatch

/// Runs blocking file work on its own threads, so that it never blocks the threads of Swift's tasks.
package struct BlockingWorker: Sendable {
    private let queue: DispatchQueue

    /// Creates a worker; its label shows in debuggers.
    package init(label: String = "org.docent.files") {
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    /// A worker for one piece of work that may wait for long: it has a thread of its own at once, and takes none from
    /// the others. A concurrent queue has only as many threads as processors, and adds others slowly.
    package static func alone(label: String) -> BlockingWorker { BlockingWorker(queue: DispatchQueue(label: label)) }

    private init(queue: DispatchQueue) { self.queue = queue }

    /// Runs `work` and waits for it without blocking. Cancelling the task sets the flag that is passed to `work`.
    ///
    /// - Throws: what `work` throws.
    package func run<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation(deadline: deadline)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Result { try work(cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
