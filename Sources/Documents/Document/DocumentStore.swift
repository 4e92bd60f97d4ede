/// What a ``Document`` asks of the world, each in a coordinated access of its own on the document's behalf, so that the document
/// itself is not told (2.4). Nothing here runs on the caller's thread (M2).
package protocol DocumentStore: Sendable {
    /// Reads a document, which is fetched first if it is not here.
    ///
    /// - Parameters:
    ///   - opening: makes the document a presenter inside the access, so that no change in between is lost (2.4), and asks others
    ///     to save first; without it, what is stored is read as it is.
    ///   - cancellation: withdraws it while it waits for its turn; it throws `cancelled` then.
    ///   - progress: told how far fetching is, from any thread.
    @concurrent func read(
        _ document: SecurityScopedDocument, opening: Bool, for presenter: any FilePresenter,
        cancellation: AccessCancellation, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredDocument

    /// Replaces what is stored, in one access together with its attributes; a whole or nothing (W0).
    ///
    /// - Returns: the document as it now is.
    /// - Throws: ``StoredDocument/Diverged`` when another version is stored than the one that the contents are based on. Nothing is
    ///   written then.
    @concurrent func overwrite(
        _ document: SecurityScopedDocument, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> DocumentItem

    /// Makes a document where nothing is, with the right to read and write it (C11).
    ///
    /// - Throws: ``DocumentsError`` `conflict` when something is there.
    @concurrent func create(
        at target: Document.SaveTarget, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> (document: SecurityScopedDocument, item: DocumentItem)

    /// Puts contents that cannot be saved now where they outlive this process: the daemon keeps them as a recovered version when
    /// it ends (W0).
    ///
    /// - Returns: what holds them; nil for a package, of which nothing is kept that way.
    @concurrent func keepSafe(
        _ contents: DocumentContents, of document: SecurityScopedDocument
    ) async throws -> (any KeptContents)?

    /// What is known of a document.
    @concurrent func item(_ document: SecurityScopedDocument) async throws -> DocumentItem

    /// Begins to present.
    @concurrent func register(_ presenter: any FilePresenter) async throws

    /// Ends presenting; nothing happens if it does not present.
    @concurrent func unregister(_ presenter: any FilePresenter) async

    /// Tells others that a conflict with kept versions is settled.
    @concurrent func announceResolved(_ versions: [String], of document: SecurityScopedDocument) async throws

    /// Lets go of a document (G11).
    func stopAccessing(_ document: SecurityScopedDocument)
}

extension DocumentStore {
    /// Tells nobody.
    @concurrent package func announceResolved(_ versions: [String], of document: SecurityScopedDocument) async throws {}
}

/// Contents that outlive this process until they are dropped.
package protocol KeptContents: Sendable {
    /// They are not needed any more.
    @concurrent func drop() async
}

/// A document as it was found.
package struct StoredDocument: Sendable {
    /// What is stored is based on something else than what was to be saved.
    package struct Diverged: Error {
        /// What is stored.
        package let item: DocumentItem
        package init(item: DocumentItem) { self.item = item }
    }

    package let item: DocumentItem
    package let contents: DocumentContents

    package init(item: DocumentItem, contents: DocumentContents) {
        self.item = item
        self.contents = contents
    }

    /// Whether an item holds something else than it did. A version tells for certain; without one, time and size do.
    package static func differs(_ item: DocumentItem, from known: DocumentItem) -> Bool {
        if let isSame = item.hasContent(of: known) { return !isSame }
        return item.modificationDate != known.modificationDate || item.size != known.size
    }
}

/// What is to be saved.
package struct DocumentWriting: Sendable {
    package let contents: DocumentContents
    package let attributes: DocumentAttributes
    /// What the contents are based on; nil for a new document.
    package let base: DocumentItem?
    /// Withdraws it while it waits for its turn.
    package let cancellation: AccessCancellation
    /// How long it may wait for its turn.
    package let deadline: Duration?

    /// - Throws: ``StoredDocument/Diverged`` if they are based on something else than that.
    package func check(against stored: DocumentItem) throws {
        if let base, StoredDocument.differs(stored, from: base) { throw StoredDocument.Diverged(item: stored) }
    }
}
