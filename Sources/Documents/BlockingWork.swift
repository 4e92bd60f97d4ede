import Dispatch

/// Runs blocking work off the cooperative pool.
enum BlockingWork {
    /// Each piece of work has its own serial queue, which gets a thread at once. A concurrent queue has one thread per
    /// processor and waits a second before it adds another while they block.
    static func run(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "org.docent.documents").async(execute: work)
    }

    /// Runs the work and waits for its result. Cancelling the task does not end the work.
    static func value<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DocumentsError) -> Value
    ) async throws(DocumentsError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, DocumentsError>, Never>) in
            run {
                do throws(DocumentsError) {
                    continuation.resume(returning: .success(try work()))
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
        return try result.get()
    }
}
