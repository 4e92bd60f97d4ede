package import Rights
import Synchronization

/// Which items providers watch for their host: a provider that watches something is not ended as idle. Thread-safe.
package final class ObservedItems: Sendable {
    private struct State {
        var counts: [ItemKey: Int] = [:]
        /// Providers that do not know the call.
        var unable: Set<String> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts one more who wants an item watched.
    ///
    /// - Returns: whether it is the first.
    package func add(_ item: ItemKey) -> Bool {
        state.withLock { state in
            state.counts[item, default: 0] += 1
            return state.counts[item] == 1
        }
    }

    /// Counts one less.
    ///
    /// - Returns: whether it was the last.
    package func remove(_ item: ItemKey) -> Bool {
        state.withLock { state in
            guard let count = state.counts[item] else { return false }
            state.counts[item] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Notes that a provider cannot watch anything.
    package func noteUnable(_ provider: String) { state.withLock { _ = $0.unable.insert(provider) } }

    /// Notes that a provider was started anew, which may be another version of it.
    ///
    /// - Returns: what it is to watch.
    package func providerStarted(_ provider: String) -> [ItemKey] {
        state.withLock { state in
            state.unable.remove(provider)
            return state.counts.keys.filter { $0.provider == provider }
        }
    }

    /// Whether a provider can watch items, as far as is known.
    package func canWatch(_ provider: String) -> Bool { state.withLock { !$0.unable.contains(provider) } }

    /// Whether a provider watches anything, and so must not be ended as idle.
    package func observes(_ provider: String) -> Bool {
        state.withLock { state in
            !state.unable.contains(provider) && state.counts.keys.contains { $0.provider == provider }
        }
    }
}
