import Documents
import Synchronization

/// Work that is done one piece after another. A piece is finished even if whoever asked for it has left.
final class SerialWork: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Does a piece of work after all earlier ones, and waits for its result.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(DocumentsError) -> Result
    ) async throws(DocumentsError) -> Result {
        let task = last.withLock { last in
            let before = last
            let task = Task.detached { () async -> Swift.Result<Result, DocumentsError> in
                await before?.value
                do throws(DocumentsError) {
                    return .success(try await body())
                } catch { return .failure(error) }
            }
            last = Task.detached { _ = await task.value }
            return task
        }
        return try await task.value.get()
    }
}
