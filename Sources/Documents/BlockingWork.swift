import Dispatch

/// Work that blocks, off the cooperative pool.
enum BlockingWork {
    /// Each in a serial queue of its own, which gets a thread at once; a concurrent queue has one for each processor, and
    /// waits a second before it gets another while they block.
    static func run(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "org.docent.documents").async(execute: work)
    }

    /// The same, for who waits for what comes of it. Cancelling the task does not end it.
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
