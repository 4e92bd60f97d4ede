package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
package import FoundationEssentials
import Glibc
package import HostCore
package import Logging
import Records
package import Rights
package import Storage
import Synchronization
package import Transfers
import Varlink

/// Where the host asks providers for items, folders and content.
///
/// In-place items are requested from the extension each time; remote ones go through the index and the transfers. It
/// does not check grants: its callers do so first.
package actor DocumentGateway: ItemSource {
    private let registry: ProviderRegistry
    private let supervisor: ExtensionSupervisor
    private let layout: StorageLayout
    private let worker: BlockingWorker
    let types: TypeCatalogue
    let cache: DocumentCache
    let pending: PendingChanges
    let reading: RemoteReading
    let describer: RemoteDescriber
    private let freshSeconds: Double
    private var opening: [ItemKey: Task<CachedContent, any Error>] = [:]
    private var kinds: [String: Bool] = [:]
    var listedAhead = PagesAhead<ListedPlace, FolderPage?>()
    var providedAhead = PagesAhead<ProvidedPlace, Provided?>()
    private let logger: Logger
    let clock: any HostClock
    nonisolated let closed: ClosedDomains
    private let stoppable = Mutex<Set<String>>([])
    private let remotes = Mutex<Set<String>>([])
    nonisolated let listings = Mutex<(@Sendable (ItemKey, [Wire.Item]) -> Void)?>(nil)
    private var writable: Set<String> = []

    /// Content that can be read now.
    package struct CachedContent: Sendable {
        package var item: Wire.Item
        /// ``Wire/Item/hotJSON`` of the item.
        package var json: [UInt8]
        package var descriptor: OpenDescriptor
    }

    package init(
        registry: ProviderRegistry, supervisor: ExtensionSupervisor, layout: StorageLayout, worker: BlockingWorker,
        types: TypeCatalogue, cache: DocumentCache, pending: PendingChanges,
        reading: RemoteReading, describer: RemoteDescriber, freshSeconds: Double, closed: ClosedDomains, logger: Logger,
        clock: any HostClock
    ) {
        self.clock = clock
        self.closed = closed
        self.logger = logger
        self.registry = registry
        self.supervisor = supervisor
        self.layout = layout
        self.worker = worker
        self.types = types
        self.cache = cache
        self.pending = pending
        self.reading = reading
        self.describer = describer
        self.freshSeconds = freshSeconds
    }

    /// Refuses to add anything to a provider whose container is full.
    func requireRoom(_ name: String) async throws {
        guard !supervisor.hasRoom(name), let provider = try? await registry.provider(name) else { return }
        try await supervisor.requireRoom(provider)
    }

    // MARK: Remote or in place

    /// Whether the documents of a provider are remote. A known provider need not be running.
    package func isRemote(_ name: String) async throws -> Bool {
        let provider = try await registry.usable(name)
        if let known = kinds[provider.identifier] { return known }
        let remote: Bool
        if try await reading.catalog.knows(provider.identifier) {
            remote = true
        } else {
            remote = !(try await supervisor.connection(provider, .fileProvider)).features.contains("inPlace")
        }
        kinds[provider.identifier] = remote
        if remote {
            stoppable.withLock { _ = $0.insert(provider.identifier) }
            remotes.withLock { _ = $0.insert(provider.identifier) }
        }
        return remote
    }

    /// Whether a provider, given by its full identifier, is known to be remote. Does not ask the provider.
    package nonisolated func isKnownRemote(_ provider: String) -> Bool { remotes.withLock { $0.contains(provider) } }

    /// Whether a provider is notified when a document is no longer used (D10): a known remote provider, or a classic
    /// one.
    package nonisolated func wantsStop(_ provider: String) -> Bool { stoppable.withLock { $0.contains(provider) } }

    /// Whether a provider, given by its full identifier, has declared write support. It is asked only once: starting
    /// its process again may take long.
    func isKnownWritable(_ provider: String) -> Bool { writable.contains(provider) }

    /// Records that a provider has declared write support.
    func noteWritable(_ provider: String) { writable.insert(provider) }

    /// The current identifier of a document. A provisional one may have been replaced.
    package func currentKey(_ key: ItemKey) async throws -> ItemKey {
        guard RemotePublisher.isProvisional(key.identifier) else { return key }
        return try await reading.catalog.known(key)?.key ?? key
    }

    /// Refuses a provider that is no longer installed, without delay (complaint 1).
    package func requireInstalled(_ name: String) async throws {
        do {
            _ = try await registry.provider(name)
        } catch let failure as Failure {
            guard failure.code == .notFound else { throw failure }
            throw Failure(
                .notFound, "\(name), the provider of this document, is not installed any more.",
                suggestion: "Install it again to reach the document as before.", provider: name)
        }
    }

    /// Asks a classic provider for the persistent identifier of an item's URL (D5, D6, G8), which a bookmark stores.
    ///
    /// - Throws: ``Failure`` `ProviderFailed` when it differs from the item's identifier.
    package func confirmIdentifier(of key: ItemKey) async throws {
        if try await isRemote(key.provider) { return }
        let (_, connection) = try await fileProvider(key.provider)
        guard connection.features.contains("classic") else { return }
        let url = try await connection.call(
            FileProviderInterface.URLForItem.self, .init(domain: key.domain, identifier: key.identifier)
        ).value.url
        guard try await identifier(of: url, provider: key.provider, domain: key.domain) != key else { return }
        throw Failure(
            .providerFailed, "\(key.provider) has two identifiers for one document, so a bookmark could not find it.",
            suggestion: "Report this to the authors of \(key.provider).", provider: key.provider)
    }

    /// Refuses a name that is known to be taken in a remote folder. The provider makes the final check.
    package func requireFree(_ name: String, in folder: ItemKey) async throws {
        do {
            _ = try await reading.catalog.child(name, of: folder, in: "the folder")
        } catch {
            return
        }
        throw Failure(
            .conflict, "There is already a \"\(name)\".", suggestion: "Choose another name.",
            provider: folder.provider)
    }

    /// itemChangedAtURL (D9): tells a classic provider that the content of an item's file has changed. Does not wait
    /// for it.
    package func announceChange(_ key: ItemKey) {
        Task {
            do {
                let (_, connection) = try await self.fileProvider(key.provider)
                guard connection.features.contains("classic") else { return }
                _ = try await connection.call(
                    FileProviderInterface.ItemChanged.self, .init(domain: key.domain, identifier: key.identifier))
            } catch {
                self.logger.warning("a provider was not notified of a change", metadata: ["why": "\(error)"])
            }
        }
    }

    // MARK: Items

    /// Refuses a domain that has been signed out (O7).
    package nonisolated func requireOpen(_ key: ItemKey) throws(Failure) { try closed.require(key) }

    /// The file provider extension of a usable provider.
    package func fileProvider(_ name: String) async throws -> (KnownProvider, ExtensionConnection) {
        let provider = try await registry.usable(name)
        return (provider, try await supervisor.connection(provider, .fileProvider))
    }

    /// What is known about an item; for a package also the version of the whole, and its conflicts (M4).
    package func item(_ key: ItemKey) async throws -> Wire.Item { try await whole(bare(key)) }

    /// A package with the version and conflicts that follow from all its elements; any other item unchanged.
    ///
    /// - Throws: `CancellationError`. A package whose elements are unavailable, for example while its provider is away,
    ///   has no version.
    package func whole(_ item: Wire.Item) async throws -> Wire.Item { try await whole(item, from: self) }

    private func whole(_ item: Wire.Item, from source: any ItemSource) async throws -> Wire.Item {
        let elements = PackageElements(source: source, types: types)
        guard elements.isPackage(item) else { return item }
        let found = try? await elements.survey(item.reference.key)
        try Task.checkCancellation()
        var result = item
        result.version = found.map { PackageElements.version($0.elements) }
        let conflicts = (item.conflicts ?? 0) + (found?.conflicts ?? 0)
        result.conflicts = conflicts > 0 ? conflicts : nil
        return result
    }

    /// A document or package that was just saved, as ``item(_:)`` describes it.
    ///
    /// A save runs under the item's lock, so the provider of a remote item is not asked: it might not answer for a long
    /// time. What is known here is returned instead.
    ///
    /// - Throws: ``Failure`` `NotFound` for a remote item that has been removed meanwhile.
    package func saved(_ key: ItemKey) async throws -> Wire.Item {
        try closed.require(key)
        let memory = RememberedItems(catalog: reading.catalog, describer: describer)
        do {
            return try await whole(memory.bare(key), from: memory)
        } catch let failure as Failure where failure.code == .notFound {
            // Nothing is known here about in-place items, whose providers are local.
            guard try await isRemote(key.provider) else { return try await item(key) }
            throw Failure(
                .notFound, "The document is gone from \(key.provider).",
                suggestion: "Somebody deleted or moved it; `docent ls` shows what is there.", provider: key.provider)
        }
    }

    /// The current state of an item, even if the index is fresh: its provider has just changed it.
    package func refreshed(_ key: ItemKey) async throws -> Wire.Item {
        if try await isRemote(key.provider) { _ = try await reading.catalog.current(key, forced: true) }
        return try await item(key)
    }

    /// The description of an item by itself, without the version of a package. Cheaper than ``item(_:)``.
    package func bare(_ key: ItemKey) async throws -> Wire.Item {
        try closed.require(key)
        if try await isRemote(key.provider) {
            return try await describer.item(reading.catalog.item(key), path: nil)
        }
        let (_, connection) = try await fileProvider(key.provider)
        let reply = try await connection.call(
            FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier))
        return await sniffed(translate(reply.value.item, key.provider, key.domain, nil, connection), connection)
    }

    /// Why an item that was just described is as it was known before (``RemoteCatalog/remembered(_:asked:)``).
    package func remembered(_ item: Wire.Item, asked: Date) async throws -> Wire.Remembered? {
        guard isKnownRemote(item.reference.provider) else { return nil }
        return try await reading.catalog.remembered(item.reference.key, asked: asked)
    }

    // In-place content is at hand: it shows the type when the name does not (7.4.5).
    private func sniffed(_ item: Wire.Item, _ connection: ExtensionConnection) async -> Wire.Item {
        guard SniffedType.isWanted(item), connection.features.contains("inPlace"),
            let content = try? await content(item.reference.key)
        else { return item }
        var result = item
        result.contentType = content.item.contentType
        return result
    }

    /// The item at a path, resolved name by name from the root. Links on the way are followed.
    ///
    /// - Parameter followsLink: whether a link at the end is followed too; otherwise the link itself is returned.
    package func item(
        at path: ItemPath, provider name: String, domain: String, followsLink: Bool = true
    ) async throws -> Wire.Item {
        let item = try await place(path, name, domain)
        guard followsLink, item.symbolicLinkTarget != nil else { return try await whole(item) }
        return try await whole(SymbolicLinks.end(of: item) { try await self.bare($0) })
    }

    private func place(_ path: ItemPath, _ name: String, _ domain: String) async throws -> Wire.Item {
        let known = try await registry.usable(name)
        try closed.require(DomainKey(provider: known.identifier, domain: domain))
        try check(domain, of: known)
        if try await isRemote(name) {
            let item = try await reading.catalog.item(at: path, provider: known.identifier, domain: domain)
            return try await describer.item(item, path: path.text)
        }
        let (provider, connection) = try await fileProvider(name)
        guard !path.names.isEmpty else {
            let reply = try await connection.call(
                FileProviderInterface.Item.self, .init(domain: domain, identifier: ".root"))
            return translate(reply.value.item, provider.identifier, domain, "/", connection)
        }
        var parent = ".root"
        var found: Wire.ProviderItem?
        for (index, component) in path.names.enumerated() {
            if let folder = found, !folder.isFolder {
                let end = try await SymbolicLinks.end(
                    of: translate(folder, provider.identifier, domain, nil, connection)
                ) { try await self.bare($0) }
                guard end.isFolder else {
                    throw Failure(.notFound, "\"\(folder.name)\" is not a folder.", provider: provider.identifier)
                }
                parent = end.reference.identifier
            }
            let place = "/" + path.names[..<index].joined(separator: "/")
            let child = try await child(component, of: parent, in: place, domain, connection)
            parent = child.identifier
            found = child
        }
        guard let found else { throw Failure(.notFound, "There is nothing at \(path.text).") }
        return await sniffed(translate(found, provider.identifier, domain, path.text, connection), connection)
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

    /// The item with a name in a folder; nil when there is none.
    ///
    /// - Throws: ``Failure`` when that cannot be determined.
    package func child(_ name: String, of folder: ItemKey) async throws -> Wire.Item? {
        try closed.require(folder)
        do {
            if try await isRemote(folder.provider) {
                let item = try await reading.catalog.child(name, of: folder, in: "the folder")
                return try await describer.item(item, path: nil)
            }
            let (_, connection) = try await fileProvider(folder.provider)
            let item = try await child(name, of: folder.identifier, in: "the folder", folder.domain, connection)
            return translate(item, folder.provider, folder.domain, nil, connection)
        } catch let failure as Failure {
            guard failure.code == .notFound else { throw failure }
            return nil
        }
    }

    private func check(_ domain: String, of provider: KnownProvider) throws {
        guard domain.isEmpty || provider.domains.contains(where: { $0.identifier == domain }) else {
            throw Failure(
                .notFound, "\(provider.identifier) has no domain \"\(domain)\".",
                suggestion: "`docent domains` lists them.", provider: provider.identifier)
        }
    }

    /// Translates a picker's URL into an identifier (F4).
    package func identifier(
        of url: String, provider name: String, domain: String
    ) async throws -> ItemKey {
        let (provider, connection) = try await fileProvider(name)
        try closed.require(DomainKey(provider: provider.identifier, domain: domain))
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
            materialised: hasContent(key, item.version), pending: pending.contains(key), types: types.registry)
    }

    nonisolated func hasContent(_ key: ItemKey, _ version: String?) -> Bool {
        cache.withDescriptor(for: key, version: version) { _ in true } ?? false
    }

    // MARK: Content

    /// The content of an item, ready to be read: from the cache, in place, or downloaded. Concurrent calls share the
    /// work.
    ///
    /// - Parameter follow: receives the progress of a download.
    /// - Throws: ``Failure``.
    package func content(
        _ key: ItemKey, follow: (@Sendable (TransferSnapshot) -> Void)? = nil
    ) async throws -> CachedContent {
        try closed.require(key)
        if let known = current(key) { return known }
        if try await isRemote(key.provider) { return try await remoteContent(key, follow) }
        let task: Task<CachedContent, any Error>
        if let running = opening[key] {
            task = running
        } else {
            task = Task { try await self.openInPlace(key) }
            opening[key] = task
        }
        defer { if opening[key] == task { opening[key] = nil } }
        return try await task.value
    }

    /// The cached content of an item, if it is still current.
    package nonisolated func current(_ key: ItemKey) -> CachedContent? {
        if closed.contains(key) { return nil }
        if let waiting = pending.content(key) {
            return CachedContent(item: waiting.item, json: waiting.item.hotJSON, descriptor: waiting.descriptor)
        }
        let found = cache.withDescriptor(for: key) { entry -> CachedContent? in
            guard let status = try? FileStatus(of: entry.descriptor.number), status.stamp == entry.payload.stamp,
                entry.payload.validUntil.map({ $0 > .now }) ?? true
            else { return nil }
            return CachedContent(
                item: entry.payload.item, json: entry.payload.json, descriptor: entry.descriptor)
        }
        return found ?? nil
    }

    /// Opens the content of a remote item of which only parts are to be read.
    ///
    /// - Returns: nil when it is read as a whole (``content(_:follow:)``). Balance it with `reader.close`.
    package func parts(_ key: ItemKey) async throws -> (item: Wire.Item, content: SparseContent)? {
        try closed.require(key)
        guard current(key) == nil, try await isRemote(key.provider) else { return nil }
        guard let (remote, content) = try await reading.reader.parts(key) else { return nil }
        return (try await describer.item(remote, path: nil), content)
    }

    /// What reads and downloads remote documents.
    package nonisolated var reader: RemoteReader { reading.reader }

    private func remoteContent(
        _ key: ItemKey, _ follow: (@Sendable (TransferSnapshot) -> Void)?
    ) async throws -> CachedContent {
        let (remote, descriptor) = try await reading.reader.content(key, priority: .awaited, follow: follow)
        let item = SniffedType.told(
            try await describer.item(remote, path: nil), by: descriptor, types.registry)
        let document = CachedDocument(
            item: item, stamp: try FileStatus(of: descriptor.number).stamp,
            validUntil: .now + .milliseconds(Int64(freshSeconds * 1000)))
        cache.insert(
            try DocumentCache.Entry(
                descriptor: descriptor, version: item.version ?? "", payload: document, hasName: true),
            for: remote.key)
        return CachedContent(item: item, json: document.json, descriptor: descriptor)
    }

    private func openInPlace(_ key: ItemKey) async throws -> CachedContent {
        let (_, connection) = try await fileProvider(key.provider)
        if connection.features.contains("classic") { stoppable.withLock { _ = $0.insert(key.provider) } }
        let reply = try await connection.call(
            FileProviderInterface.OpenInPlace.self, .init(domain: key.domain, identifier: key.identifier))
        let descriptor = OpenDescriptor(owning: try reply.descriptors.take(reply.value.file).release())
        // A link is refused, whatever the provider returns for it: grants apply to its target.
        guard SymbolicLinks.target(reply.value.item) == nil else {
            throw SymbolicLinks.refusal(reply.value.item.name, key.provider)
        }
        return try await keep(reply.value.item, key, descriptor)
    }

    private func keep(
        _ item: Wire.ProviderItem, _ key: ItemKey, _ descriptor: OpenDescriptor
    ) async throws -> CachedContent {
        let status = try await worker.run { _ in
            do {
                return try ForeignDescriptor.check(descriptor.number, access: .readOnly)
            } catch let error as FileSystemError {
                // The provider's fault, not the client's.
                throw Failure(
                    .providerFailed,
                    "The content that \(key.provider) returned for \"\(item.name)\" was refused: \(error.message)",
                    suggestion: "Report this to the authors of \(key.provider).", provider: key.provider)
            }
        }
        let described = ItemTranslation.item(
            item, provider: key.provider, domain: key.domain, path: nil, inPlace: true, materialised: true,
            pending: pending.contains(key), types: types.registry)
        let translated = SniffedType.told(described, by: descriptor, types.registry)
        let document = CachedDocument(item: translated, stamp: status.stamp)
        cache.insert(
            try DocumentCache.Entry(
                descriptor: descriptor, version: item.version ?? "", payload: document, hasName: true),
            for: key)
        return CachedContent(item: translated, json: document.json, descriptor: descriptor)
    }
}
