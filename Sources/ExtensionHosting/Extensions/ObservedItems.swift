package import Rights
import Synchronization

/// The items that providers watch for the host. A provider that watches something does not count as idle. Thread-safe.
package final class ObservedItems: Sendable {
    private struct State {
        var counts: [ItemKey: Int] = [:]
        /// Providers that do not support the call.
        var unable: Set<String> = []
        /// Items whose provider has confirmed that it watches them.
        var watched: Set<ItemKey> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds one observer of an item.
    ///
    /// - Returns: whether it is the first.
    package func add(_ item: ItemKey) -> Bool {
        state.withLock { state in
            state.counts[item, default: 0] += 1
            return state.counts[item] == 1
        }
    }

    /// Removes one observer of an item.
    ///
    /// - Returns: whether it was the last.
    package func remove(_ item: ItemKey) -> Bool {
        state.withLock { state in
            guard let count = state.counts[item] else { return false }
            state.counts[item] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Records that a provider cannot watch items.
    package func noteUnable(_ provider: String) { state.withLock { _ = $0.unable.insert(provider) } }

    /// Records that a provider was restarted, possibly in another version. It watches nothing yet.
    ///
    /// - Returns: the items that it must watch.
    package func providerStarted(_ provider: String) -> [ItemKey] {
        state.withLock { state in
            state.unable.remove(provider)
            for item in state.watched where item.provider == provider { state.watched.remove(item) }
            return state.counts.keys.filter { $0.provider == provider }
        }
    }

    /// Whether an item has an observer.
    package func isObserved(_ item: ItemKey) -> Bool { state.withLock { $0.counts[item] != nil } }

    /// Records whether the provider of an item reports every change of it from now on.
    package func noteWatched(_ item: ItemKey, _ isWatched: Bool) {
        state.withLock { state in
            if isWatched { _ = state.watched.insert(item) } else { _ = state.watched.remove(item) }
        }
    }

    /// Whether the provider of an item reports every change of it.
    package func isWatched(_ item: ItemKey) -> Bool { state.withLock { $0.watched.contains(item) } }

    /// Whether a provider can watch items, as far as is known.
    package func canWatch(_ provider: String) -> Bool { state.withLock { !$0.unable.contains(provider) } }

    /// Whether a provider watches anything, and so does not count as idle.
    package func observes(_ provider: String) -> Bool {
        state.withLock { state in
            !state.unable.contains(provider) && state.counts.keys.contains { $0.provider == provider }
        }
    }
}
