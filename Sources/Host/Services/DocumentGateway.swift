package import DocentInterfaces
import ExtensionManifest
import Glibc
package import Isolation
package import Storage
import Synchronization
import Varlink

/// Where the host asks providers: items, folders, and content.
///
/// Calls at the same time for the content of one item share one fetch. It knows nothing of grants: its callers check them first.
package actor DocumentGateway {
    private let registry: ProviderRegistry
    private let supervisor: ExtensionSupervisor
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let types: TypeCatalogue
    private let cache: DocumentCache
    private let pending: PendingChanges
    private var fetches: [ItemKey: Task<CachedContent, any Error>] = [:]

    /// Content that can be read now.
    package struct CachedContent: Sendable {
        package var item: Wire.Item
        /// ``Wire/Item/hotJSON`` of the item.
        package var json: [UInt8]
        package var descriptor: OpenDescriptor
    }

    package init(
        registry: ProviderRegistry, supervisor: ExtensionSupervisor, layout: StorageLayout, worker: BlockingWorker,
        types: TypeCatalogue, cache: DocumentCache, pending: PendingChanges
    ) {
        self.registry = registry
        self.supervisor = supervisor
        self.layout = layout
        self.worker = worker
        self.types = types
        self.cache = cache
        self.pending = pending
    }

    // MARK: Items

    /// A usable provider's file provider extension.
    package func fileProvider(_ name: String) async throws -> (KnownProvider, ExtensionConnection) {
        let provider = try await registry.usable(name)
        return (provider, try await supervisor.connection(provider, .fileProvider))
    }

    /// What is known of an item.
    package func item(_ key: ItemKey, path: String? = nil) async throws -> Wire.Item {
        let (_, connection) = try await fileProvider(key.provider)
        let reply = try await connection.call(
            FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier))
        return translate(reply.value.item, key.provider, key.domain, path, connection)
    }

    /// The item at a path, name by name from the top.
    package func item(at path: ItemPath, provider name: String, domain: String) async throws -> Wire.Item {
        let (provider, connection) = try await fileProvider(name)
        try check(domain, of: provider)
        guard !path.names.isEmpty else {
            let reply = try await connection.call(
                FileProviderInterface.Item.self, .init(domain: domain, identifier: ".root"))
            return translate(reply.value.item, provider.identifier, domain, "/", connection)
        }
        var parent = ".root"
        var found: Wire.ProviderItem?
        for (index, component) in path.names.enumerated() {
            if let folder = found, !folder.isFolder {
                throw Failure(.notFound, "\"\(folder.name)\" is no folder.", provider: provider.identifier)
            }
            let place = "/" + path.names[..<index].joined(separator: "/")
            let child = try await child(component, of: parent, in: place, domain, connection)
            parent = child.identifier
            found = child
        }
        guard let found else { throw Failure(.notFound, "There is nothing at \(path.text).") }
        return translate(found, provider.identifier, domain, path.text, connection)
    }

    private func child(
        _ name: String, of parent: String, in place: String, _ domain: String, _ connection: ExtensionConnection
    ) async throws(Failure) -> Wire.ProviderItem {
        do {
            return try await connection.call(
                FileProviderInterface.Child.self, .init(domain: domain, parent: parent, name: name)
            ).value.item
        } catch {
            guard error.code == .notFound else { throw error }
            throw Failure(
                .notFound, "There is no \"\(name)\" in \(place) of \(connection.provider).",
                suggestion: "`docent ls` shows what is there.", provider: connection.provider, causes: error.causes)
        }
    }

    private func check(_ domain: String, of provider: KnownProvider) throws {
        guard domain.isEmpty || provider.domains.contains(where: { $0.identifier == domain }) else {
            throw Failure(
                .notFound, "\(provider.identifier) has no domain \"\(domain)\".",
                suggestion: "`docent domains` lists them.", provider: provider.identifier)
        }
    }

    /// One page of a folder.
    package func children(
        of folder: ItemKey, path: String?, page: String?
    ) async throws -> (items: [Wire.Item], nextPage: String?) {
        let (_, connection) = try await fileProvider(folder.provider)
        let reply = try await connection.call(
            FileProviderInterface.Children.self, .init(domain: folder.domain, parent: folder.identifier, page: page))
        if let next = reply.value.nextPage, next == page || next.utf8.count > 500 {
            throw Failure(
                .providerFailed,
                "\(folder.provider) gave a page of a folder that leads nowhere: a listing would never end.",
                suggestion: "Tell the authors of \(folder.provider).", provider: folder.provider)
        }
        // A deep folder's path, repeated for each of its items, could make the page larger than a message may be (T4).
        let prefix = path.map { $0 == "/" ? "/" : $0 + "/" }.flatMap { prefix in
            reply.value.items.reduce(0) { $0 + prefix.utf8.count + $1.name.utf8.count } <= 100_000 ? prefix : nil
        }
        let items = reply.value.items.map { item in
            translate(item, folder.provider, folder.domain, prefix.map { $0 + item.name }, connection)
        }
        return (items, reply.value.nextPage)
    }

    /// Tells a picker's URL as an identifier (F4).
    package func identifier(
        of url: String, provider name: String, domain: String
    ) async throws -> ItemKey {
        let (provider, connection) = try await fileProvider(name)
        let reply = try await connection.call(
            FileProviderInterface.PersistentIdentifier.self, .init(domain: domain, url: url))
        return ItemKey(provider: provider.identifier, domain: domain, identifier: reply.value.identifier)
    }

    /// An item as its provider has just described it.
    package nonisolated func item(
        _ item: Wire.ProviderItem, _ provider: String, _ domain: String, _ connection: ExtensionConnection
    ) -> Wire.Item {
        translate(item, provider, domain, nil, connection)
    }

    private nonisolated func translate(
        _ item: Wire.ProviderItem, _ provider: String, _ domain: String, _ path: String?,
        _ connection: ExtensionConnection
    ) -> Wire.Item {
        let key = ItemKey(provider: provider, domain: domain, identifier: item.identifier)
        return ItemTranslation.item(
            item, provider: provider, domain: domain, path: path, inPlace: connection.features.contains("inPlace"),
            materialised: cache.withDescriptor(for: key, version: item.version) { _ in true } ?? false,
            pending: pending.contains(key), types: types.registry)
    }

    // MARK: Content

    /// The content of an item, ready to be read: from the cache, in place, or fetched.
    ///
    /// - Throws: ``Failure``.
    package func content(_ key: ItemKey) async throws -> CachedContent {
        if let known = current(key) { return known }
        let task: Task<CachedContent, any Error>
        if let running = fetches[key] {
            task = running
        } else {
            task = Task { try await self.load(key) }
            fetches[key] = task
        }
        defer { if fetches[key] == task { fetches[key] = nil } }
        return try await task.value
    }

    /// What the cache has of an item, if that still is current.
    package nonisolated func current(_ key: ItemKey) -> CachedContent? {
        if let waiting = pending.content(key) {
            return CachedContent(item: waiting.item, json: waiting.item.hotJSON, descriptor: waiting.descriptor)
        }
        let found = cache.withDescriptor(for: key) { entry -> CachedContent? in
            guard let status = try? FileStatus(of: entry.descriptor.number), status.stamp == entry.payload.stamp else {
                return nil
            }
            return CachedContent(
                item: entry.payload.item, json: entry.payload.json, descriptor: entry.descriptor)
        }
        return found ?? nil
    }

    private func load(_ key: ItemKey) async throws -> CachedContent {
        let (_, connection) = try await fileProvider(key.provider)
        if connection.features.contains("inPlace") {
            let reply = try await connection.call(
                FileProviderInterface.OpenInPlace.self, .init(domain: key.domain, identifier: key.identifier))
            let descriptor = OpenDescriptor(owning: try reply.descriptors.take(reply.value.file).release())
            return try await keep(reply.value.item, key, descriptor, connection)
        }
        return try await fetch(key, connection)
    }

    // The extension writes into an unnamed file of ours; what comes back is checked, and only then shown.
    private func fetch(_ key: ItemKey, _ connection: ExtensionConnection) async throws -> CachedContent {
        let before = try await connection.call(
            FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier)
        ).value.item
        guard !before.isFolder else { throw Failure(.invalidArgument, "\"\(before.name)\" is a folder.") }
        let layout = layout
        let size = UInt64(max(0, before.size ?? 0))
        let staged = try await worker.run { _ in
            let staging = try Directory(path: layout.stagingDirectory)
            let file = try TemporaryFile.unnamed(in: staging)
            try Space.requireAvailable(size, on: file.number)
            return file
        }
        let descriptors = DescriptorList(OwnedDescriptor(try duplicate(staged)))
        let reply = try await connection.callWithProgress(
            FileProviderInterface.Fetch.self, .init(domain: key.domain, identifier: key.identifier, destination: 0),
            descriptors: descriptors)
        let item = reply.value.item ?? before
        let length = try FileStatus(of: staged.number).size
        if let declared = item.size, declared < 0 || UInt64(declared) != length {
            throw Failure(
                .providerFailed, "\(key.provider) delivered \(length) of \(declared) bytes of \"\(item.name)\".",
                suggestion: "Try again.", provider: key.provider)
        }
        // What the extension still has open must not change what is read from now on: readers get a copy of ours, of the
        // size that there is room for (F1).
        let published = try await worker.run { cancellation in
            let staging = try Directory(path: layout.stagingDirectory)
            try Space.requireAvailable(length, on: staged.number)
            return try FileCopier.unlinkedCopy(
                of: staged.number, in: staging, bound: length, cancellation: cancellation)
        }
        return try await keep(item, key, published, connection)
    }

    private func duplicate(_ descriptor: OpenDescriptor) throws -> CInt {
        let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else {
            throw Failure(.unavailable, "The daemon has no descriptor left.", suggestion: "Try again.")
        }
        return copy
    }

    private func keep(
        _ item: Wire.ProviderItem, _ key: ItemKey, _ descriptor: OpenDescriptor, _ connection: ExtensionConnection
    ) async throws -> CachedContent {
        let status = try await worker.run { _ in
            do {
                return try ForeignDescriptor.check(descriptor.number, access: .readOnly)
            } catch let error as FileSystemError {
                // It is the provider's fault, not the client's.
                throw Failure(
                    .providerFailed,
                    "The content that \(key.provider) gave for \"\(item.name)\" is refused (F1): \(error.message)",
                    suggestion: "Tell the authors of \(key.provider).", provider: key.provider)
            }
        }
        let translated = ItemTranslation.item(
            item, provider: key.provider, domain: key.domain, path: nil, inPlace: true, materialised: true,
            pending: pending.contains(key), types: types.registry)
        let inPlace = connection.features.contains("inPlace")
        // A file of ours has no name; only one in place can be replaced under us.
        let document = CachedDocument(item: translated, stamp: status.stamp)
        cache.insert(
            try DocumentCache.Entry(
                descriptor: descriptor, version: item.version ?? "", payload: document, hasName: inPlace),
            for: key)
        return CachedContent(item: translated, json: document.json, descriptor: descriptor)
    }
}
