package import Rights
import Synchronization

/// The documents that got a version since versions were thinned last. Thread-safe.
package final class TouchedHistories: Sendable {
    private let keys = Mutex<Set<ItemKey>>([])

    package init() {}

    /// Notes a document.
    package func note(_ key: ItemKey) { keys.withLock { _ = $0.insert(key) } }

    /// The noted documents, which are forgotten.
    package func take() -> Set<ItemKey> {
        keys.withLock { keys in
            defer { keys = [] }
            return keys
        }
    }
}
