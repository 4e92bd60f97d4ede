package import Isolation
import Synchronization

/// Identifiers that documents had before: the provisional one of a creation, or a path before a rename. A client that still uses one
/// means the same document.
///
/// Thread-safe; only a lock, for it is asked on the hot path. Filled from the index at start.
package final class ItemAliases: Sendable {
    private let aliases = Mutex<[ItemKey: ItemKey]>([:])

    package init() {}

    /// The identifier that a document has now.
    package func current(_ key: ItemKey) -> ItemKey {
        aliases.withLock { aliases in
            guard !aliases.isEmpty else { return key }
            var key = key
            // A chain of renames; a loop cannot be made, and would end here.
            for _ in 0..<64 {
                guard let next = aliases[key] else { break }
                key = next
            }
            return key
        }
    }

    /// Notes that a document has another identifier now.
    package func add(_ key: ItemKey, now new: ItemKey) {
        aliases.withLock { aliases in
            aliases[new] = nil
            aliases[key] = new
        }
    }
}
