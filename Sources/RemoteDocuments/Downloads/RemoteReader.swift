import DocentInterfaces
package import HostCore
package import Records
package import Rights
package import Storage
package import Transfers

/// The content of remote documents: an unsent local save always; else the local copy while it is current; else a
/// download; else (provider unreachable) the local copy as it is.
package struct RemoteReader: Sendable {
    let catalog: RemoteCatalog
    let local: LocalStore
    let queue: TransferQueue
    let work: DownloadWork
    private let contents: SparseContents

    package init(
        catalog: RemoteCatalog, local: LocalStore, queue: TransferQueue, contents: SparseContents, work: DownloadWork
    ) {
        self.contents = contents
        self.catalog = catalog
        self.local = local
        self.queue = queue
        self.work = work
    }

    /// Content that can be read now.
    ///
    /// - Parameters:
    ///   - follow: receives the progress of a download; not called when no download is needed.
    /// - Throws: ``Failure``: `NotFound` when the item is certainly gone; else why content that is not here cannot be
    ///   downloaded.
    package func content(
        _ given: ItemKey, priority: TransferPriority = .awaited,
        follow: (@Sendable (TransferSnapshot) -> Void)? = nil
    ) async throws -> (RemoteItem, OpenDescriptor) {
        var item = try await catalog.current(given)
        guard !item.description.isFolder else {
            throw Failure(.invalidArgument, "\"\(item.description.name)\" is a folder.")
        }
        guard item.description.symbolicLinkTarget == nil else {
            throw SymbolicLinks.refusal(item.description.name, item.key.provider)
        }
        // An eviction may remove the content before it is opened; it is then downloaded again.
        for _ in 0..<3 {
            if let ready = try await ready(item) { return ready }
            do {
                try await queue.perform(
                    TransferKey(kind: .download, item: item.key), name: item.description.name, priority: priority,
                    follow: follow,
                    body: work.body(item.key, for: DownloadCause.current ?? DownloadCause(purpose: "needed by Docent")))
            } catch let failure as Failure {
                // Renamed during the download: the same document under another identifier.
                if let now = try await catalog.known(item.key), now.key != item.key {
                    item = now
                    continue
                }
                if let stale = try await stale(item, failure) { return stale }
                if Existence(failure) == .missing { _ = try await catalog.current(item.key, forced: true) }
                throw failure
            }
            guard let now = try await catalog.known(item.key) else { break }
            item = now
        }
        throw Failure(
            .unavailable, "The local copy of \"\(item.description.name)\" was removed right after it was fetched.",
            suggestion: "Try again, or pin it.", provider: item.key.provider)
    }

    /// Opens content of which only parts are to be read.
    ///
    /// - Returns: nil when it is read as a whole: it is here, at least an earlier version of it, or is small, or its
    ///   provider cannot deliver parts. Balance a content with ``SparseContents/close(_:)``.
    /// - Throws: ``Failure`` like ``content(_:priority:follow:)``.
    package func parts(_ given: ItemKey) async throws -> (RemoteItem, SparseContent)? {
        let item = try await catalog.current(given)
        guard !item.description.isFolder, item.description.symbolicLinkTarget == nil, item.local == nil,
            !catalog.states.contains(item.key)
        else { return nil }
        let features = try await catalog.access.features(item.key.provider)
        guard await contents.mayBeOpened(item, features: features) else { return nil }
        try catalog.access.monitor.closed.require(item.key)
        do {
            return (item, try await contents.open(item))
        } catch is WholeIsHere {
            return nil
        }
    }

    /// Makes a content of which all parts have come the document's local copy.
    package func keepComplete(_ content: SparseContent) async {
        guard content.isComplete else { return }
        await fetch(content.item, priority: .background)
    }

    /// Ends the use of a content that was opened by ``parts(_:)``.
    package func close(_ content: SparseContent) async { await contents.close(content) }

    /// The account turned out to deliver no parts.
    package func noteRefused(_ content: SparseContent) async { await contents.noteRefused(content.item) }

    /// Creates or updates a local copy without a waiting reader.
    package func fetch(_ item: RemoteItem, priority: TransferPriority) async {
        guard !item.description.isFolder, item.description.symbolicLinkTarget == nil, !item.isProvisional,
            !catalog.states.contains(item.key)
        else { return }
        await queue.enqueue(
            TransferKey(kind: .download, item: item.key), name: item.description.name, priority: priority,
            body: work.body(item.key, for: DownloadCause(purpose: priority == .pinned ? "pinned" : "kept up to date")))
    }

    private func ready(_ item: RemoteItem) async throws -> (RemoteItem, OpenDescriptor)? {
        guard item.isCurrent || catalog.states.contains(item.key) || LocalVersion(item.local?.version) != nil else {
            return nil
        }
        return try await opened(item)
    }

    private func stale(_ item: RemoteItem, _ failure: Failure) async throws -> (RemoteItem, OpenDescriptor)? {
        guard Existence(failure) == .unknown, let now = try await catalog.known(item.key) else { return nil }
        return try await opened(now)
    }

    private func opened(_ item: RemoteItem) async throws -> (RemoteItem, OpenDescriptor)? {
        // The domain may have been signed out during the download; its content must not be served then.
        try catalog.access.monitor.closed.require(item.key)
        guard let file = try await local.open(item) else { return nil }
        catalog.recent.note(item.key)
        return (item, file)
    }
}
