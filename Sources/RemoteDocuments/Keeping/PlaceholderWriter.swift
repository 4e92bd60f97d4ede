package import Records
import Rights
import Synchronization

/// Writes the placeholders of documents whose metadata was requested (D7, D12), after a short delay: a client that then
/// reads the document gets its content, and needs no placeholder. Thread-safe.
package final class PlaceholderWriter: Sendable {
    private static let delay = Duration.milliseconds(250)

    private let index: ItemIndex
    private let local: LocalStore
    private let waiting = Mutex<Set<ItemKey>>([])

    init(index: ItemIndex, local: LocalStore) {
        self.index = index
        self.local = local
    }

    /// Records that an item's metadata was requested.
    package func note(_ item: RemoteItem) {
        guard !item.description.isFolder, item.local == nil, !item.isProvisional else { return }
        let isFirst = waiting.withLock { waiting in
            defer { waiting.insert(item.key) }
            return waiting.isEmpty
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.delay)
            await self.write()
        }
    }

    private func write() async {
        let keys = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for key in keys {
            guard let item = try? await index.item(key), item.local == nil else { continue }
            await local.writePlaceholder(item)
            // The content may have arrived in the meantime: whichever comes second cleans up.
            if let now = try? await index.item(key), let copy = now.local {
                await local.contentArrived(now, former: nil, now: copy)
            }
        }
    }
}
