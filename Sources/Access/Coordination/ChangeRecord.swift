import Coordination
package import DocentInterfaces
package import Rights
import Synchronization

/// What a change that runs within a claim has done, for those who present its items. Thread-safe.
package final class ChangeRecord: Sendable {
    struct Content: Sendable {
        var changed: [Coordination.ItemKey: String?] = [:]
        var deleted: Set<Coordination.ItemKey> = []
        var appeared: [(item: Wire.Item, name: String, folder: Rights.ItemKey)] = []

        var isEmpty: Bool { changed.isEmpty && deleted.isEmpty && appeared.isEmpty }
    }

    private let content = Mutex(Content())

    package init() {}

    /// The content or the attributes of an item are others now.
    package func changed(_ key: Rights.ItemKey, version: String?) {
        content.withLock { $0.changed[key.coordinated] = .some(version) }
    }

    /// Something was made where nothing was.
    package func appeared(_ item: Wire.Item, name: String, in folder: Rights.ItemKey) {
        content.withLock { $0.appeared.append((item, name, folder)) }
    }

    /// An item is gone.
    package func deleted(_ key: Rights.ItemKey) { content.withLock { _ = $0.deleted.insert(key.coordinated) } }

    var taken: Content {
        content.withLock { content in
            defer { content = Content() }
            return content
        }
    }
}
