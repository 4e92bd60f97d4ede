import FileProvider
import Synchronization

/// One task that looks for news as long as somebody presents an item. Thread-safe.
final class Observation: Sendable {
    private struct State {
        var items: Set<ItemIdentifier> = []
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    deinit { stop() }

    func start(_ item: ItemIdentifier, _ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.items.insert(item)
            if state.task == nil { state.task = Task { await body() } }
        }
    }

    func stop(_ item: ItemIdentifier) {
        let isLast = state.withLock { state in
            state.items.remove(item)
            return state.items.isEmpty
        }
        if isLast { stop() }
    }

    func stop() {
        let task = state.withLock { state in
            state.items = []
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}
