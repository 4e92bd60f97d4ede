import Coordination
package import DocentInterfaces
package import Rights
import Synchronization

/// Collects what a change made inside a claim, so that presenters of the items can be notified. Thread-safe.
package final class ChangeRecord: Sendable {
    struct Content: Sendable {
        var changed: [CoordinatedItem: String?] = [:]
        var deleted: Set<CoordinatedItem> = []
        var appeared: [(item: Wire.Item, name: String, folder: ItemKey)] = []

        var isEmpty: Bool { changed.isEmpty && deleted.isEmpty && appeared.isEmpty }
    }

    private let content = Mutex(Content())

    package init() {}

    /// Records that the content or the attributes of an item changed.
    package func changed(_ key: ItemKey, version: String?) {
        content.withLock { $0.changed[key.coordinated] = .some(version) }
    }

    /// Records that an item was created at a place that was empty.
    package func appeared(_ item: Wire.Item, name: String, in folder: ItemKey) {
        content.withLock { $0.appeared.append((item, name, folder)) }
    }

    /// Records that an item was deleted.
    package func deleted(_ key: ItemKey) { content.withLock { _ = $0.deleted.insert(key.coordinated) } }

    var taken: Content {
        content.withLock { content in
            defer { content = Content() }
            return content
        }
    }
}
