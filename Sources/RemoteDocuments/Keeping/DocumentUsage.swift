package import Rights
import Synchronization

/// Which sessions have which documents open, and the word to their providers when nobody has any more (D10, O1). Thread-safe.
package final class DocumentUsage: Sendable {
    private struct State {
        var table = UsageTable()
        var stops: [ItemKey: (number: UInt64, task: Task<Void, Never>)] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    private let stop: @Sendable (ItemKey) async -> Void

    /// - Parameter stop: tells a provider `StopProviding`; it has a deadline of its own, and nobody hears of its failure.
    package init(stop: @escaping @Sendable (ItemKey) async -> Void) { self.stop = stop }

    /// A session has opened a document.
    package func opened(_ key: ItemKey, by session: String) {
        state.withLock { $0.table.opened(key, by: session) }
    }

    /// A session does not use a document any more that it opened (StopAccessing).
    package func closed(_ key: ItemKey, by session: String) {
        state.withLock { state in if state.table.closed(key, by: session) { tell(key, &state) } }
    }

    /// A session has ended, also by the crash of its client.
    package func ended(_ session: String) {
        state.withLock { state in for key in state.table.ended(session) { tell(key, &state) } }
    }

    /// Runs a fetch of a document: after a word to its provider that is under way, and before any further one.
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

    /// Whether anybody has the document open.
    package func isInUse(_ key: ItemKey) -> Bool { state.withLock { $0.table.isInUse(key) } }

    /// The documents that somebody has open.
    package var inUse: [ItemKey] { state.withLock { $0.table.inUse } }

    /// A document has another identifier now.
    package func rekey(_ key: ItemKey, to new: ItemKey) { state.withLock { $0.table.rekey(key, to: new) } }

    private func tell(_ key: ItemKey, _ state: inout State) {
        let before = state.stops[key]?.task
        state.next += 1
        let number = state.next
        let task = Task {
            await before?.value
            // Somebody may have opened it again meanwhile: then it is in use, and its provider hears of it when that is over.
            if !self.isInUse(key) { await self.stop(key) }
            self.state.withLock { state in
                if state.stops[key]?.number == number { state.stops[key] = nil }
            }
        }
        state.stops[key] = (number, task)
    }
}
