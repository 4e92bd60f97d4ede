package import Rights
import Synchronization

/// Earlier identifiers of documents: the provisional one of a creation, or a path before a rename. A client that still
/// uses one means the same document.
///
/// Thread-safe; takes only a lock, because it is asked on the hot path. Filled from the index at start.
package final class ItemAliases: Sendable {
    private let aliases = Mutex<[ItemKey: ItemKey]>([:])
    private let moved: @Sendable (_ from: ItemKey, _ to: ItemKey) -> Void

    /// - Parameters:
    ///   - keys: the changes in the database that the aliases follow from now on.
    ///   - moved: called for every document whose identifier has changed, once its new one is known here.
    package init(
        following keys: KeyChanges? = nil,
        moved: @escaping @Sendable (_ from: ItemKey, _ to: ItemKey) -> Void = { _, _ in }
    ) {
        self.moved = moved
        keys?.follow(begin: { [weak self] in self?.follow($0) })
    }

    /// The current identifier of a document.
    package func current(_ key: ItemKey) -> ItemKey {
        aliases.withLock { aliases in
            guard !aliases.isEmpty else { return key }
            var key = key
            // A chain of renames. A loop cannot arise, and would end here.
            for _ in 0..<64 {
                guard let next = aliases[key] else { break }
                key = next
            }
            return key
        }
    }

    /// Records that a document has a new identifier.
    package func add(_ key: ItemKey, now new: ItemKey) {
        aliases.withLock { aliases in
            aliases[new] = nil
            aliases[key] = new
        }
        moved(key, new)
    }

    /// Restores what an earlier daemon recorded, without a call of `moved`.
    package func restore(_ key: ItemKey, now new: ItemKey) {
        aliases.withLock { aliases in
            aliases[new] = nil
            aliases[key] = new
        }
    }

    // Without a call of `moved`: the code that moves an item calls ``add(_:now:)`` afterwards, and an item that is gone
    // has not moved.
    private func follow(_ changes: [KeyChange]) {
        for change in changes {
            switch change {
            case .moved(let old, let new, _): restore(old, now: new)
            // The identifier now means the item that has it.
            case .reused(let key): aliases.withLock { $0[key] = nil }
            }
        }
    }
}
