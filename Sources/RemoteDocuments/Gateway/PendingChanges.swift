package import DocentInterfaces
package import Rights
package import Storage
import Synchronization

/// Changes that are saved here and wait to be sent to their provider, with the content to show in the meantime.
/// Thread-safe.
package final class PendingChanges: Sendable {
    private struct Change {
        var content: OpenDescriptor?
        var item: Wire.Item
    }

    private let changes = Mutex<[ItemKey: Change]>([:])

    package init() {}

    /// Records the newest change of an item.
    package func add(_ key: ItemKey, content: OpenDescriptor?, item: Wire.Item) {
        changes.withLock { $0[key] = Change(content: content, item: item) }
    }

    /// Records that no change of an item is waiting any more.
    package func remove(_ key: ItemKey) { changes.withLock { _ = $0.removeValue(forKey: key) } }

    /// Whether a change of the item is waiting.
    package func contains(_ key: ItemKey) -> Bool { changes.withLock { $0[key] != nil } }

    /// What readers get: the content that was saved last, and the item as it will be.
    package func content(_ key: ItemKey) -> (item: Wire.Item, descriptor: OpenDescriptor)? {
        changes.withLock { changes in
            guard let change = changes[key], let content = change.content else { return nil }
            return (change.item, content)
        }
    }

    /// The number of items with waiting changes.
    package var count: Int { changes.withLock { $0.count } }
}
