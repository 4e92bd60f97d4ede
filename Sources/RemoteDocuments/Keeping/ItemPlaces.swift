package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Records
package import Rights
package import Storage

/// Where the local copies of remote documents are stored: in a directory that no sandbox exposes, one folder for each
/// domain.
///
/// Blocking work runs on the worker; every function may be repeated.
package struct ItemPlaces: Sendable {
    private let layout: StorageLayout
    private let registry: ProviderRegistry
    private let worker: BlockingWorker
    /// One lock for each domain, under the key of its root.
    private let clearing = ItemLocks()

    package init(layout: StorageLayout, registry: ProviderRegistry, worker: BlockingWorker) {
        self.layout = layout
        self.registry = registry
        self.worker = worker
    }

    /// The store of an item's domain, created if missing.
    package func store(_ key: ItemKey) async throws -> MaterialisedStore {
        let group = await registry.group(of: key.provider)
        return try await worker.run { [layout] _ in
            let domain = key.domain.isEmpty ? nil : key.domain
            _ = try layout.prepareCopies(provider: key.provider, domain: domain, formerGroup: group)
            return MaterialisedStore(container: layout.copies(provider: key.provider, domain: domain))
        }
    }

    /// Publishes the committed content of an operation in a document's place: step 6 of W.
    ///
    /// - Returns: the local copy, to be recorded.
    package func publish(_ id: String, size: Int64, as key: ItemKey, name: String) async throws -> LocalCopy {
        let store = try await store(key)
        return try await worker.run { [layout] _ in
            let place = store.place(for: key.identifier, name: Array(name.utf8))
            _ = try store.publishLink(
                FileName(id), in: Directory(path: layout.uploadsDirectory), for: key.identifier, at: place,
                staging: Directory(path: layout.stagingDirectory))
            return LocalCopy(name: name, version: LocalVersion(id).text, size: size)
        }
    }

    /// Puts the content of a local copy aside for the save that will replace it: a second name, no copy.
    package func keepReplaced(
        by operation: String, _ copy: LocalCopy, of key: ItemKey, as reason: VersionStore.Reason
    ) async throws {
        let store = try await store(key)
        try await worker.run { [layout] _ in
            let place = store.place(for: key.identifier, name: Array(copy.name.utf8))
            guard let folder = try store.folder(of: place),
                try folder.status(of: place.name)?.size == UInt64(clamping: copy.size)
            else { return }
            _ = try SupersededStore(layout: layout).keep(linkTo: place.name, in: folder, for: operation, reason)
        }
    }

    /// Puts the local copy of an element aside for the save that will replace its package: a second name, no copy.
    ///
    /// - Parameter number: unique among the elements.
    /// - Returns: the name of the file, and its size in bytes; nil if the copy is not complete.
    package func keepElement(
        _ copy: LocalCopy, of key: ItemKey, number: Int, by operation: String
    ) async throws -> (file: String, size: Int64)? {
        let store = try await store(key)
        return try await worker.run { [layout] _ in
            let place = store.place(for: key.identifier, name: Array(copy.name.utf8))
            guard let folder = try store.folder(of: place),
                try folder.status(of: place.name)?.size == UInt64(clamping: copy.size)
            else { return nil }
            return try PackageVersionStore(layout: layout).add(
                linkTo: place.name, in: folder, number: number, of: operation)
        }
    }

    /// Whether a local copy has the same content as a complete download.
    func holds(_ copy: LocalCopy, of key: ItemKey, sameAs download: PartialFile) async throws -> Bool {
        let store = try await store(key)
        return try await worker.run { cancellation in
            let place = store.place(for: key.identifier, name: Array(copy.name.utf8))
            guard let local = try store.open(place) else { return false }
            let other = try download.directory.open(download.name)
            return try withExtendedLifetime((local, other)) {
                try FileComparison.isSame(local.number, other.number, cancellation: cancellation)
            }
        }
    }

    /// Under the lock of the document: what was put aside for a save is what the save is about to replace, also if a
    /// download came in between. Idempotent; nothing is put aside for a save for which nothing was before.
    func settleReplaced(by operation: String, _ copy: LocalCopy, of key: ItemKey) async throws {
        let store = try await store(key)
        try await worker.run { [layout] _ in
            let kept = SupersededStore(layout: layout)
            let place = store.place(for: key.identifier, name: Array(copy.name.utf8))
            guard let before = try kept.kept(operation), let folder = try store.folder(of: place),
                let now = try folder.status(of: place.name)?.identity, now != before.status.identity
            else { return }
            // An interrupted run has published the save already.
            let saved = try Directory(path: layout.uploadsDirectory).status(of: try FileName(operation))?.identity
            guard now != saved else { return }
            _ = try kept.keep(linkTo: place.name, in: folder, for: operation, before.reason)
        }
    }

    /// Removes a document's local copy; a missing one is fine. The caller has made sure that everything in it has been
    /// sent.
    package func remove(_ copy: LocalCopy, of key: ItemKey) async throws {
        let store = try await store(key)
        try await worker.run { _ in
            let place = store.place(for: key.identifier, name: Array(copy.name.utf8))
            try store.remove(place)
        }
    }

    /// Removes everything in the place of a domain's documents: copies and placeholders, with or without a record (E8).
    /// The caller has removed the records: whoever writes a file meanwhile, in ``withoutClearing(_:_:)``, finds none.
    package func clear(_ domain: DomainKey) async throws {
        let group = await registry.group(of: domain.provider)
        try await withoutClearing(domain) { [layout, worker] in
            try await worker.run { _ in
                let copies = try layout.prepareCopies(
                    provider: domain.provider, domain: domain.domain.isEmpty ? nil : domain.domain, formerGroup: group)
                try copies.removeContents()
                try copies.sync()
            }
        }
    }

    /// Runs a body that looks for a document's record and writes its file, while the domain is not cleared in between:
    /// the file would stay. The lock of a document may be held, and none may be taken in the body.
    func withoutClearing<Result: Sendable>(
        _ domain: DomainKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let root = ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        return try await clearing.withLock(on: root, body)
    }

    /// Removes the partial download of a document that is gone.
    package func discard(_ partial: PartialDownload) async throws {
        try await worker.run { [layout] _ in
            guard let name = try? FileName(partial.file) else { return }
            try Directory(path: layout.downloadsDirectory).remove(name)
        }
    }

    /// Gives a document another identifier: first its content under the new one, then the records, then the old place
    /// is removed.
    func rekey(_ key: ItemKey, to description: ItemDescription, _ parts: RemoteParts) async throws {
        let new = ItemKey(provider: key.provider, domain: key.domain, identifier: description.identifier)
        let old = try await parts.index.item(key)
        var moved: LocalCopy?
        if let local = old?.local { moved = try await adopt(local, of: key, as: new, name: description.name) }
        try await parts.index.rekey(key, to: description, local: moved)
        // The document stays usable under at least one identifier throughout.
        try await parts.grants.rekeyed(to: new)
        parts.aliases.add(key, now: new)
        try await parts.grants.rekeyed(from: key, to: new)
        if let local = old?.local { try? await remove(local, of: key) }
    }

    /// Gives a local copy a second place, under another identifier and name; the old one stays until it is removed.
    ///
    /// - Returns: the copy in its new place; nil when there is none on the disk.
    package func adopt(_ copy: LocalCopy, of key: ItemKey, as new: ItemKey, name: String) async throws -> LocalCopy? {
        if try await link(copy, of: key, to: new, name: name) {
            var moved = copy
            moved.name = name
            return moved
        }
        guard let operation = LocalVersion(copy.version)?.operation else { return nil }
        return try await publish(operation, size: copy.size, as: new, name: name)
    }

    private func link(_ copy: LocalCopy, of key: ItemKey, to new: ItemKey, name: String) async throws -> Bool {
        let store = try await store(key)
        return try await worker.run { [layout] _ in
            try store.link(
                store.place(for: key.identifier, name: Array(copy.name.utf8)),
                to: store.place(for: new.identifier, name: Array(name.utf8)), for: new.identifier,
                staging: Directory(path: layout.stagingDirectory))
        }
    }
}
