package import Rights
import Synchronization

/// Identifiers that documents had before: the provisional one of a creation, or a path before a rename. A client that still uses one
/// means the same document.
///
/// Thread-safe; only a lock, for it is asked on the hot path. Filled from the index at start.
package final class ItemAliases: Sendable {
    private let aliases = Mutex<[ItemKey: ItemKey]>([:])
    private let follower = Mutex<@Sendable (ItemKey, ItemKey) -> Void>({ _, _ in })

    package init() {}

    /// Says who hears of every document that has another identifier now.
    package func follow(_ follower: @escaping @Sendable (ItemKey, ItemKey) -> Void) {
        self.follower.withLock { $0 = follower }
    }

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
        let follower = follower.withLock { $0 }
        follower(key, new)
    }

    /// Notes what an earlier daemon knew; nobody is told.
    package func restore(_ key: ItemKey, now new: ItemKey) {
        aliases.withLock { aliases in
            aliases[new] = nil
            aliases[key] = new
        }
    }

    /// Lets aliases follow what the index records. Whoever moves an item tells it by ``add(_:now:)`` when it has moved; what
    /// is gone has not moved.
    package func follow(_ changes: [KeyChange]) {
        for change in changes {
            switch change {
            case .moved(let old, let new, _): restore(old, now: new)
            // Who names it means what is there now.
            case .reused(let key): aliases.withLock { $0[key] = nil }
            }
        }
    }
}
