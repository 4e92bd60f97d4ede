package import Access
package import DocentInterfaces
package import ExtensionHosting
package import FoundationEssentials
package import HostCore
package import Logging
package import RemoteDocuments
package import Rights
package import Storage
package import Transfers
import Varlink

/// Implements `org.docent.Documents` for granted documents, without sockets or JSON.
package struct DocumentService: ClaimedDocuments, Sendable {
    let gateway: DocumentGateway
    let access: AccessControl
    private let layout: StorageLayout
    let worker: BlockingWorker
    let views: ReadOnlyViews
    private let copies: PrivateCopies
    private let usage: DocumentUsage
    private let aliases: ItemAliases
    private let logger: Logger
    private let counts = AccessCounts()
    let readings = PartialReadings()
    /// The bookmarks of granted documents.
    package let bookmarks: BookmarkService
    /// The copies that clients imported.
    package let inbox: Inbox

    package init(
        gateway: DocumentGateway, access: AccessControl, layout: StorageLayout, worker: BlockingWorker,
        usage: DocumentUsage, aliases: ItemAliases, copies: PrivateCopies, logger: Logger,
        keyring: BookmarkKeyring = .system()
    ) {
        self.logger = logger
        bookmarks = BookmarkService(
            gateway: gateway, access: access, aliases: aliases,
            key: BookmarkKey(
                store: access.bookmarks, file: BookmarkKeyFile(layout: layout), keyring: keyring, worker: worker,
                logger: logger))
        inbox = Inbox(layout: layout)
        self.usage = usage
        self.aliases = aliases
        self.gateway = gateway
        self.access = access
        self.layout = layout
        self.worker = worker
        self.copies = copies
        views = ReadOnlyViews([layout.groupsDirectory, layout.copiesDirectory, layout.versionsDirectory])
    }

    /// The document that a client refers to, also by a former identifier.
    package func key(_ reference: Wire.ItemReference) -> ItemKey { aliases.current(reference.key) }

    /// The current identifier of a document.
    package func current(_ key: ItemKey) -> ItemKey { aliases.current(key) }

    /// The document that a client refers to in a call that needs no right. Refuses a reference with a NUL: the database
    /// and providers in C would cut the identifier there, and it would name another item. Rights are never granted to
    /// such a reference.
    package func storableKey(_ reference: Wire.ItemReference) throws(Failure) -> ItemKey {
        for text in [reference.provider, reference.domain, reference.identifier] where text.utf8.contains(0) {
            throw Failure(
                .notPermitted, "There are no rights to a document whose reference contains a NUL character.",
                suggestion: "Use the reference that the daemon returned.")
        }
        return key(reference)
    }

    /// Fetches a granted document without opening it (N9).
    ///
    /// - Parameter follow: called with the progress, at most ten times a second.
    package func download(
        _ session: Session, _ key: ItemKey, follow: @escaping @Sendable (TransferSnapshot) -> Void
    ) async throws -> Wire.Item {
        try await access.require(session, key, .read, for: "download")
        return try await session.causing("fetched in advance") {
            try await access.whileAllowed(session, key, .read) {
                try await content(session, key, for: "download", follow: follow).item
            }
        }
    }

    /// The content of an item that the client may read. For a link it is the content of its target, if the client may
    /// read that too.
    private func content(
        _ session: Session, _ key: ItemKey, for what: String,
        follow: (@Sendable (TransferSnapshot) -> Void)? = nil
    ) async throws -> DocumentGateway.CachedContent {
        do {
            return try await content(key, follow: follow)
        } catch let link as FoundLink {
            let target = try await SymbolicLinks.end(of: link.item) { try await gateway.bare($0) }.reference.key
            try await access.require(session, target, .read, for: what)
            return try await access.whileAllowed(session, target, .read) {
                do {
                    return try await content(target, follow: follow)
                } catch let link as FoundLink {
                    // The target has just become a link.
                    throw SymbolicLinks.refusal(link.item.name, target.provider)
                }
            }
        }
    }

    /// Thrown for a link, which has no content.
    private struct FoundLink: Error {
        var item: Wire.Item
    }

    // A package has no content of its own. Our error says what to do instead, whatever the provider answers.
    private func content(
        _ key: ItemKey, follow: (@Sendable (TransferSnapshot) -> Void)? = nil
    ) async throws -> DocumentGateway.CachedContent {
        do {
            return try await gateway.content(key, follow: follow)
        } catch {
            guard !(error is CancellationError), let item = try? await gateway.item(key) else { throw error }
            if item.symbolicLinkTarget != nil { throw FoundLink(item: item) }
            guard item.isFolder else { throw error }
            throw Failure(
                .invalidArgument, "\"\(item.name)\" is a folder, or a package: it consists of several documents.",
                suggestion: "`docent ls` shows what is in it; read one of those.", provider: key.provider)
        }
    }

    // MARK: Use

    /// Counts one more start of using a document (G3). There is no limit, and memory does not grow with the number of
    /// starts.
    ///
    /// - Returns: false without a right to the document; the refusal is recorded.
    package func startAccessing(_ session: Session, _ key: ItemKey) async throws -> Bool {
        do {
            try await access.require(session, key, .read, for: "start accessing")
            // Counted for the link itself, which may have another target when it is stopped.
            _ = try await access.used(session, key, .read, for: "start accessing")
        } catch let failure as Failure {
            guard failure.code == .notPermitted else { throw failure }
            return false
        }
        if !counts.isStarted(key, by: session.token), gateway.wantsStop(key.provider) {
            usage.opened(key, by: Self.starter(session))
        }
        counts.start(key, by: session.token)
        // If the session ended in the meantime, its cleanup missed this start.
        if session.hasEnded { sessionEnded(session) }
        return true
    }

    /// Records that a session no longer uses a document that it opened (D10). With `started`, it undoes one start
    /// instead.
    package func stopAccessing(_ session: Session, _ key: ItemKey, started: Bool) {
        guard started else { return usage.closed(key, by: session.token) }
        if counts.stop(key, by: session.token, current: aliases.current) {
            usage.closed(key, by: Self.starter(session))
        }
    }

    /// Ends the uses of a session, and logs what it started and never stopped (complaint 20).
    package func sessionEnded(_ session: Session) {
        usage.ended(session.token)
        endReadings(session)
        let left = counts.end(session.token)
        guard !left.isEmpty else { return }
        usage.ended(Self.starter(session))
        let named = left.keys.prefix(10).map { key in "\(key.provider)@\(key.domain)/\(key.identifier)" }
        logger.warning(
            "a client ended without stopping the accesses that it had started",
            metadata: [
                "client": "\(session.principal)", "process": "\(session.process ?? 0)",
                "starts": "\(left.values.reduce(0, +))", "documents": "\(left.count)",
                "some": "\(named.sorted().joined(separator: ", "))",
            ])
    }

    // Keeps starts apart from what the session has only opened.
    private static func starter(_ session: Session) -> String { session.token + " started" }

    /// Information about a granted item.
    package func info(_ session: Session, _ key: ItemKey) async throws -> Wire.Item {
        try await access.require(session, key, .read, for: "info")
        return await told(session, try await gateway.item(key))
    }

    /// How much space the account of a granted item has.
    package func space(_ session: Session, _ key: ItemKey) async throws -> AccountSpace {
        try await access.require(session, key, .read, for: "usage")
        return try await gateway.space(of: key)
    }

    /// Why an item that was just described is as it was known before (``DocumentGateway/remembered(_:asked:)``).
    package func remembered(_ item: Wire.Item, asked: Date) async throws -> Wire.Remembered? {
        try await gateway.remembered(item, asked: asked)
    }

    /// An item as a client may see it (``AccessControl/told(_:_:)``).
    package func told(_ session: Session, _ item: Wire.Item) async -> Wire.Item { await access.told(session, item) }

    /// The item that a client uses when it names an item, which may be a link (``AccessControl/used(_:_:_:for:)``).
    package func used(
        _ session: Session, _ reference: Wire.ItemReference, _ level: AccessLevel, for what: String
    ) async throws -> ItemKey {
        try await access.used(session, key(reference), level, for: what)
    }

    /// The account of a top folder that the client may read, whose changes it may learn.
    ///
    /// - Throws: ``Failure``: `NotPermitted` without a right to all of it, `InvalidArgument` for another item.
    package func observed(_ session: Session, _ reference: Wire.ItemReference) async throws -> DomainKey {
        let key = key(reference)
        try await access.require(session, key, .read, for: "observe")
        guard key.identifier == ItemKey.rootIdentifier else {
            throw Failure(
                .invalidArgument, "Only a whole account can be observed.",
                suggestion: "Name its top folder, or present the item.")
        }
        return DomainKey(key)
    }

    /// One page of a granted folder.
    package func list(
        _ session: Session, _ key: ItemKey, page: String?
    ) async throws -> FolderPage {
        try await access.require(session, key, .read, for: "list")
        let folder = try await access.used(session, key, .read, for: "list")
        var listed = try await gateway.listing(of: folder, path: nil, page: page)
        for index in listed.items.indices where listed.items[index].symbolicLinkTarget != nil {
            listed.items[index] = await access.told(session, listed.items[index])
        }
        return listed
    }

    /// Opens a granted document whose content is local, on the calling thread; nil if more is needed.
    ///
    /// The hot path (L1): lookups in two tables and a reopen, without database or provider.
    ///
    /// - Throws: nothing for a missing grant; the slow path refuses and records it.
    /// - Parameter claim: the claim that ends the use (``endReading(_:_:claim:keepsUse:)``); if nil, the use lasts
    ///   until the session ends it or is closed.
    package func openQuickly(
        _ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64? = nil
    ) throws -> OpenedDocument? {
        guard !session.principal.isConfined, let ground = access.ground(session.principal, key, .read),
            let content = gateway.current(key)
        else { return nil }
        let slot = lease ? try session.leases().lease(key) : nil
        // Checked again after the lease has its generation: a revocation or replacement in between has ended the lease.
        guard access.check(session, key, .read) else { return nil }
        access.noteOpened(session, key, .read, ground)
        access.noteUsed(session, content.item)
        noteUse(session, content.item, claim)
        return try opened(session, content, slot)
    }

    // In-place documents are not tracked: their provider has nothing to stop.
    func noteUse(_ session: Session, _ item: Wire.Item, _ claim: UInt64?) {
        guard gateway.wantsStop(item.reference.provider) else { return }
        usage.opened(item.reference.key, by: claim.map { Self.reader(session, $0) } ?? session.token)
        // The session started using it before its provider was known.
        if counts.isStarted(item.reference.key, by: session.token) {
            usage.opened(item.reference.key, by: Self.starter(session))
        }
    }

    private func opened(
        _ session: Session, _ content: DocumentGateway.CachedContent, _ slot: LeasePage.Lease?
    ) throws -> OpenedDocument {
        let file = try OpenDescriptor.reopenReadOnly(content.descriptor.number)
        let lease = try slot.map { (try session.leases().clientDescriptor, $0.slot, $0.generation) }
        return OpenedDocument(json: content.json, item: content.item, file: file, lease: lease)
    }

    /// Called when a reading claim has ended: the document that it opened is no longer in use (O1, D10).
    ///
    /// - Parameter keepsUse: whether the session goes on using the document, like one that it opened within the claim
    ///   (X5, G11).
    package func endReading(_ session: Session, _ key: ItemKey, claim: UInt64, keepsUse: Bool) {
        let current = aliases.current(key)
        if keepsUse, !session.hasEnded { usage.opened(current, by: session.token) }
        usage.closed(current, by: Self.reader(session, claim))
        // If the session ended in the meantime, its cleanup missed this use.
        if keepsUse, session.hasEnded { usage.ended(session.token) }
    }

    /// Called when a reading claim has failed, whatever it had opened by then.
    package func abandonReading(_ session: Session, claim: UInt64) { usage.ended(Self.reader(session, claim)) }

    private static func reader(_ session: Session, _ claim: UInt64) -> String { "\(session.token) claim \(claim)" }

    package func open(
        _ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64? = nil
    ) async throws -> OpenedDocument { try await open(session, key, lease: lease, claim: claim, for: nil) }

    /// Opens a granted document, fetching its content first if necessary.
    ///
    /// - Parameters:
    ///   - claim: as for ``openQuickly(_:_:lease:claim:)``.
    ///   - other: the program for which the client opens it.
    package func open(
        _ session: Session, _ key: ItemKey, lease: Bool, claim: UInt64? = nil, for other: DownloadCause.OtherProgram?
    ) async throws -> OpenedDocument {
        try await access.require(session, key, .read, for: "open")
        let content = try await session.causing("opened for reading", for: other) {
            try await access.whileAllowed(session, key, .read) { try await self.content(session, key, for: "open") }
        }
        // It may be the target of a link.
        let used = content.item.reference.key
        guard await access.stillAllows(session, used, .read) else {
            try access.requireOpen(session.principal, used)
            throw AccessControl.refusal(session, .read)
        }
        // What other programs read in a mounted folder is not what the user opened: some read all of it.
        if other == nil { access.noteUsed(session, content.item) }
        noteUse(session, content.item, claim)
        if session.principal.isConfined {
            let file = try await handed(session, content.descriptor)
            return OpenedDocument(json: content.json, item: content.item, file: file, lease: nil)
        }
        return try opened(session, content, lease ? try session.leases().lease(used) : nil)
    }

    /// A file as a client may have it, with an offset of its own.
    ///
    /// A descriptor of the file itself could be reopened for writing (S4). A confined client gets a descriptor through
    /// a read-only view, or a copy where there are no views.
    func handed(_ session: Session, _ file: OpenDescriptor) async throws -> OpenDescriptor {
        guard session.principal.isConfined else { return try OpenDescriptor.reopenReadOnly(file.number) }
        let (views, copies, layout, principal) = (views, copies, layout, session.principal)
        return try await worker.run { cancellation in
            if let view = views.open(sameAs: file) { return view }
            let status = try FileStatus(of: file.number)
            return try copies.copy(for: principal, of: status.stamp, size: status.size) {
                try FileCopier.unlinkedCopy(
                    of: file.number, in: try Directory(path: layout.stagingDirectory), bound: .max,
                    cancellation: cancellation)
            }
        }
    }

    /// Makes a private copy of a granted document.
    package func importGranted(
        _ session: Session, _ key: ItemKey
    ) async throws -> (item: Wire.Item, path: String?, file: OpenDescriptor) {
        try await access.require(session, key, .read, for: "import")
        let content = try await session.causing("imported") { try await self.content(session, key, for: "import") }
        return try await imported(session, content)
    }

    /// Makes a private copy of an item that the caller may read, in the client's inbox (C1, C9).
    package func importCopy(
        _ session: Session, _ key: ItemKey
    ) async throws -> (item: Wire.Item, path: String?, file: OpenDescriptor) {
        try await imported(session, session.causing("imported") { try await gateway.content(key) })
    }

    private func imported(
        _ session: Session, _ content: DocumentGateway.CachedContent
    ) async throws -> (item: Wire.Item, path: String?, file: OpenDescriptor) {
        let copy = try await copy(session, content.descriptor, name: content.item.name)
        return (content.item, copy.path, copy.file)
    }

    /// Makes a private copy of a file that a picker without a file provider returned (C1).
    package func importFile(
        _ session: Session, _ file: OpenDescriptor, name: String, _ provider: KnownProvider, _ path: ItemPath
    ) async throws -> (item: Wire.Item, path: String?, file: OpenDescriptor) {
        let copy = try await copy(session, file, name: name)
        let item = Wire.Item(
            reference: .init(provider: provider.identifier, domain: "", identifier: path.text), name: name,
            path: path.text, contentType: "public.data", size: Int(copy.size), isFolder: false, isDownloaded: true,
            isUploaded: true)
        return (item, copy.path, copy.file)
    }

    // The copy goes to the inbox. A confined client cannot see the inbox and gets an unlinked copy.
    private func copy(
        _ session: Session, _ source: OpenDescriptor, name: String
    ) async throws -> (path: String?, file: OpenDescriptor, size: UInt64) {
        if session.principal.isConfined {
            let (copies, layout, principal) = (copies, layout, session.principal)
            return try await worker.run { cancellation in
                let size = try FileStatus(of: source.number).size
                let file = try copies.copy(for: principal, of: nil, size: size) {
                    try FileCopier.unlinkedCopy(
                        of: source.number, in: try Directory(path: layout.stagingDirectory), bound: .max,
                        cancellation: cancellation)
                }
                return (nil, file, try FileStatus(of: file.number).size)
            }
        }
        session.noteImport()
        let copy = try await makeCopy(session, source, name: name)
        return (copy.path, copy.descriptor, copy.size)
    }

    private func makeCopy(_ session: Session, _ source: OpenDescriptor, name: String) async throws -> Inbox.Copy {
        let inbox = inbox
        let (kind, identifier, token) = (session.principal.kind.rawValue, session.principal.identifier, session.token)
        return try await worker.run { cancellation in
            let copy = try withExtendedLifetime(source) {
                try inbox.importCopy(
                    of: source.number, named: Array(name.utf8), principalKind: kind, principal: identifier,
                    session: token, bound: 1 << 62, cancellation: cancellation)
            }
            // If the session ended in the meantime, its cleanup missed this copy (C9).
            guard !session.hasEnded else {
                try? inbox.removeSession(principalKind: kind, principal: identifier, session: token)
                throw CancellationError()
            }
            return copy
        }
    }
}
