import HostCore
package import Logging
package import Records
package import Rights
package import Storage

/// Local copies and placeholders of remote documents on the disk. The index describes them; a copy that is recorded but
/// missing on the disk counts as absent.
package struct LocalStore: Sendable {
    private let index: ItemIndex
    private let places: ItemPlaces
    private let worker: BlockingWorker
    private let logger: Logger

    package init(index: ItemIndex, places: ItemPlaces, worker: BlockingWorker, logger: Logger) {
        self.index = index
        self.places = places
        self.worker = worker
        self.logger = logger
    }

    /// Opens an item's local copy for reading; nil when it is absent or incomplete.
    package func open(_ item: RemoteItem) async throws -> OpenDescriptor? {
        guard let local = item.local else { return nil }
        let store = try await places.store(item.key)
        return try await worker.run { _ in
            let place = store.place(for: item.key.identifier, name: Array(local.name.utf8))
            guard let file = try store.open(place) else { return nil }
            guard try FileStatus(of: file.number).size == UInt64(clamping: local.size) else { return nil }
            return file
        }
    }

    // MARK: Placeholders

    /// Writes the placeholder of a document whose content is not here (D7, E7), unless the document is no longer known:
    /// its domain may have been signed out meanwhile. A failure is harmless.
    package func writePlaceholder(_ item: RemoteItem) async {
        guard !item.description.isFolder, !item.isProvisional else { return }
        do {
            try await places.withoutClearing(DomainKey(item.key)) { [self] in
                guard try await index.item(item.key) != nil else { return }
                let store = try await places.store(item.key)
                try await worker.run { _ in
                    let place = store.place(for: item.key.identifier, name: Array(item.description.name.utf8))
                    let folder = try Directory(path: place.container).makeDirectory(place.folder)
                    try PlaceholderFile(item.description).write(for: place.name, in: folder)
                }
            }
        } catch {
            logger.notice(
                "a placeholder was not written", metadata: ["item": "\(item.key.identifier)", "why": "\(error)"])
        }
    }

    /// Removes the placeholder of a document whose content has arrived, and the file under its former name.
    package func contentArrived(_ item: RemoteItem, former: LocalCopy?, now: LocalCopy) async {
        guard let store = try? await places.store(item.key) else { return }
        try? await worker.run { _ in
            let place = store.place(for: item.key.identifier, name: Array(now.name.utf8))
            let folder = try Directory(path: place.container).directory(place.folder)
            try PlaceholderFile.remove(for: place.name, in: folder)
            guard let former else { return }
            let old = store.place(for: item.key.identifier, name: Array(former.name.utf8))
            if old != place {
                try folder.remove(old.name)
                try PlaceholderFile.remove(for: old.name, in: folder)
            }
        }
    }

    // MARK: Removing

    /// Removes an item's local copy. The caller has made sure that everything in it has been sent.
    package func remove(_ copy: LocalCopy, of key: ItemKey) async throws {
        let store = try await places.store(key)
        try await worker.run { _ in
            try store.remove(store.place(for: key.identifier, name: Array(copy.name.utf8)))
        }
    }

    /// Removes the copies and placeholders of items that are gone (E8).
    package func forget(_ items: [RemoteItem]) async {
        let documents = items.filter { !$0.description.isFolder }
        guard let first = documents.first, let store = try? await places.store(first.key) else { return }
        try? await worker.run { _ in
            let root = try Directory(path: store.container)
            for item in documents {
                let place = store.place(for: item.key.identifier, name: Array(item.description.name.utf8))
                guard try root.status(of: place.folder)?.kind == .directory else { continue }
                let folder = try root.directory(place.folder)
                try? PlaceholderFile.remove(for: place.name, in: folder)
                let name = item.local?.name ?? item.description.name
                try? store.remove(store.place(for: item.key.identifier, name: Array(name.utf8)))
            }
        }
    }
}
