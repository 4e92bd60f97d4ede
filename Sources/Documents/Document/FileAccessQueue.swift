/// Runs the reads and writes of one document one at a time, in the order of their arrival.
///
/// A task with a preferred executor can be suspended before `withCheckedContinuation` calls its body, although it is on
/// the main actor already. Whoever waits looks at the state again there.
@MainActor
final class FileAccessQueue {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs a body in its turn.
    ///
    /// - Parameter urgently: whether it goes before all waiting ones, because someone else waits for it to end.
    func run<Result>(urgently: Bool = false, _ body: () async throws -> Result) async rethrows -> Result {
        if isBusy {
            await withCheckedContinuation { continuation in
                if isBusy {
                    waiting.insert(continuation, at: urgently ? 0 : waiting.count)
                } else {
                    isBusy = true
                    continuation.resume()
                }
            }
        }
        // isBusy stays true when a waiter is resumed: the turn passes to it.
        isBusy = true
        defer { leave() }
        return try await body()
    }

    private func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
