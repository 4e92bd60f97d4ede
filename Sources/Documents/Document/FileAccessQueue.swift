/// Lets the reads and writes of one document through one after another, in the order in which they came.
@MainActor
final class FileAccessQueue {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs one, in its turn.
    ///
    /// - Parameter urgently: next, before all that wait: somebody else waits for its end.
    func run<Result>(urgently: Bool = false, _ body: () async throws -> Result) async rethrows -> Result {
        if isBusy {
            await withCheckedContinuation { continuation in
                waiting.insert(continuation, at: urgently ? 0 : waiting.count)
            }
        }
        // Whoever was woken got the turn with it.
        isBusy = true
        defer { leave() }
        return try await body()
    }

    private func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
