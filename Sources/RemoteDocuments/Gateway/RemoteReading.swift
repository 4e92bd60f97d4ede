import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
package import HostCore
import Logging
package import Records
import Rights
package import Storage
package import Transfers

/// The reading half of remote documents: catalogue, downloads, local copies, and change detection. The daemon makes it
/// once.
package struct RemoteReading: Sendable {
    /// Knows the remote items.
    package let catalog: RemoteCatalog
    /// Downloads content.
    package let reader: RemoteReader
    /// Knows which documents are in use.
    package let usage: DocumentUsage
    /// Removes local copies when the disk fills up.
    package let evictor: Evictor
    /// Asks providers for changes.
    package let poller: ChangePoller
    /// The local copies.
    package let local: LocalStore
    /// The contents of which parts are here.
    package let contents: SparseContents
    /// The pictures of documents.
    package let thumbnails: ThumbnailStore
    private let files: DownloadFiles
    private let worker: BlockingWorker

    /// Makes the parts in the order of their dependencies.
    package init(
        _ given: RemoteEnvironment, index: ItemIndex, access: ProviderAccess, queue: TransferQueue,
        places: ItemPlaces, states: UploadStates, conflicts: ConflictKeeper, settings: RemoteSettings
    ) {
        let (layout, worker, logger) = (given.layout, given.worker, given.logger)
        self.worker = worker
        let recent = RecentUse(index: index)
        thumbnails = ThumbnailStore(layout: layout)
        local = LocalStore(index: index, places: places, worker: worker, logger: logger)
        usage = DocumentUsage { key in await Self.stopProviding(key, access) }
        catalog = RemoteCatalog(
            index: index, access: access, states: states, keeper: conflicts, local: local, changes: given.changes,
            settings: settings, recent: recent, replaced: ReplacedPackages(journal: given.journal), logger: logger)
        files = DownloadFiles(
            layout: layout, worker: worker, partials: PartialDownloadStore(database: given.database))
        evictor = Evictor(
            index: index, local: local, states: states, usage: usage, locks: given.locks,
            changes: given.changes, registry: given.registry, layout: layout, settings: settings, recent: recent,
            files: files, replaced: conflicts.replaced, logger: logger)
        contents = SparseContents(
            files: files, fetch: RangeFetch(access: access, evictor: evictor, usage: usage),
            evictor: evictor, audit: given.audit)
        let publisher = DownloadPublisher(
            index: index, states: states, places: places, local: local, replaced: conflicts.replaced,
            files: files, locks: given.locks, changes: given.changes, layout: layout, worker: worker)
        reader = RemoteReader(
            catalog: catalog, local: local, queue: queue, contents: contents,
            work: DownloadWork(
                catalog: catalog, local: local, files: files, contents: contents, publisher: publisher,
                evictor: evictor, usage: usage, audit: given.audit))
        poller = ChangePoller(
            catalog: catalog, reader: reader, usage: usage, monitor: access.monitor, settings: settings,
            recent: recent, logger: logger)
    }

    /// Updates copies in use and pinned copies as soon as they are out of date, until ``end()``. The others are updated
    /// when they are read. Only one task may run this.
    package func keepCurrent() async {
        for await item in catalog.stale.stream where item.isPinned || usage.isInUse(item.key) {
            await reader.fetch(item, priority: item.isPinned ? .pinned : .background)
        }
    }

    /// Ends ``keepCurrent()``.
    package func end() { catalog.stale.continuation.finish() }

    /// Cleans up after a killed process, before anything is served.
    package func sweep(_ index: ItemIndex) async throws { try await files.sweep(index) }

    /// Removes unfinished downloads, and pictures of documents, of a domain that is being removed.
    package func discardPartials(of domain: DomainKey) async throws {
        try await files.discardAll(of: domain)
        try await worker.run { [thumbnails] _ in
            try thumbnails.remove(provider: domain.provider, domain: domain.domain)
        }
    }

    // Goes straight to the process: the service need not be reachable.
    private static func stopProviding(_ key: ItemKey, _ access: ProviderAccess) async {
        guard let provider = try? await access.registry.usable(key.provider),
            let connection = try? await access.supervisor.connection(provider, .fileProvider)
        else { return }
        _ = try? await connection.call(
            FileProviderInterface.StopProviding.self, .init(domain: key.domain, identifier: key.identifier))
    }
}
