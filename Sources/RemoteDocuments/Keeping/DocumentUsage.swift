package import Rights
import Synchronization

/// Which sessions have which documents open. Notifies providers when a document is no longer open anywhere (D10, O1).
/// Thread-safe.
package final class DocumentUsage: Sendable {
    private struct State {
        var table = UsageTable()
        var stops: [ItemKey: (number: UInt64, task: Task<Void, Never>)] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    private let stop: @Sendable (ItemKey) async -> Void

    /// - Parameter stop: sends `StopProviding` to a provider. It has its own deadline; its failure is ignored.
    package init(stop: @escaping @Sendable (ItemKey) async -> Void) { self.stop = stop }

    /// Records that a session has opened a document.
    package func opened(_ key: ItemKey, by session: String) {
        state.withLock { $0.table.opened(key, by: session) }
    }

    /// Records that a session no longer uses a document that it opened (StopAccessing).
    package func closed(_ key: ItemKey, by session: String) {
        state.withLock { state in if state.table.closed(key, by: session) { tell(key, &state) } }
    }

    /// Records that a session has ended, including by a crash of its client.
    package func ended(_ session: String) {
        state.withLock { state in for key in state.table.ended(session) { tell(key, &state) } }
    }

    /// Runs a fetch of a document: after a notification to its provider that is being sent, and before the next one.
    package func whileFetching<Result>(
        _ key: ItemKey, _ body: () async throws -> Result
    ) async throws -> Result {
        while let running = state.withLock({ state -> Task<Void, Never>? in
            if let stop = state.stops[key] { return stop.task }
            state.table.fetchBegan(key)
            return nil
        }) {
            await running.value
            try Task.checkCancellation()
        }
        defer { state.withLock { state in if state.table.fetchEnded(key) { tell(key, &state) } } }
        return try await body()
    }

    /// Whether any session has the document open.
    package func isInUse(_ key: ItemKey) -> Bool { state.withLock { $0.table.isInUse(key) } }

    /// Records the new identifier of a document.
    package func rekey(_ key: ItemKey, to new: ItemKey) { state.withLock { $0.table.rekey(key, to: new) } }

    private func tell(_ key: ItemKey, _ state: inout State) {
        let before = state.stops[key]?.task
        state.next += 1
        let number = state.next
        let task = Task {
            await before?.value
            // It may have been opened again in the meantime. Then its provider is notified after that use.
            if !self.isInUse(key) { await self.stop(key) }
            self.state.withLock { state in
                if state.stops[key]?.number == number { state.stops[key] = nil }
            }
        }
        state.stops[key] = (number, task)
    }
}
