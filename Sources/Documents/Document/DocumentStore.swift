/// The operations that a ``Document`` needs. Each is a coordinated access on the document's behalf, so that the
/// document itself is not notified. None of it runs on the caller's thread.
package protocol DocumentStore: Sendable {
    /// Reads a document, fetching it first if necessary.
    ///
    /// - Parameters:
    ///   - opening: whether to ask others to save first and to make the document a presenter inside the access, so that
    ///     no later change is missed. If false, the stored contents are read as they are.
    ///   - cancellation: withdraws the read while it waits for its turn; it then throws `cancelled`.
    ///   - progress: called with the progress of fetching, from any thread.
    @concurrent func read(
        _ document: SecurityScopedDocument, opening: Bool, for presenter: any FilePresenter,
        cancellation: AccessCancellation, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredDocument

    /// Replaces the stored contents and attributes in one access, entirely or not at all.
    ///
    /// - Returns: the document as it is now.
    /// - Throws: ``StoredDocument/Diverged`` when the stored version is not the one that the contents are based on.
    ///   Nothing is then written.
    @concurrent func overwrite(
        _ document: SecurityScopedDocument, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> DocumentItem

    /// Creates a document with the right to read and write it.
    ///
    /// - Throws: ``DocumentsError`` `conflict` when something already exists there.
    @concurrent func create(
        at target: Document.SaveTarget, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> (document: SecurityScopedDocument, item: DocumentItem)

    /// Stores contents that cannot be saved now, so that they survive this process: the daemon keeps them as a
    /// recovered version when it ends.
    ///
    /// - Returns: the object that holds them; nil for a package, which is not kept in this way.
    @concurrent func keepSafe(
        _ contents: DocumentContents, of document: SecurityScopedDocument
    ) async throws -> (any KeptContents)?

    /// The metadata of a document.
    @concurrent func item(_ document: SecurityScopedDocument) async throws -> DocumentItem

    /// Starts presenting.
    @concurrent func register(_ presenter: any FilePresenter) async throws

    /// Stops presenting; does nothing if the presenter was not added.
    @concurrent func unregister(_ presenter: any FilePresenter) async

    /// Notifies others that a conflict between kept versions is settled.
    @concurrent func announceResolved(_ versions: [String], of document: SecurityScopedDocument) async throws

    /// Releases a document.
    func stopAccessing(_ document: SecurityScopedDocument)
}

extension DocumentStore {
    /// Does nothing.
    @concurrent package func announceResolved(_ versions: [String], of document: SecurityScopedDocument) async throws {}
}

/// Contents that survive this process until they are dropped.
package protocol KeptContents: Sendable {
    /// Drops the contents, which are no longer needed.
    @concurrent func drop() async
}

/// A document as it was read.
package struct StoredDocument: Sendable {
    /// The stored contents are not the ones that the save is based on.
    package struct Diverged: Error {
        /// The stored item.
        package let item: DocumentItem
        package init(item: DocumentItem) { self.item = item }
    }

    package let item: DocumentItem
    package let contents: DocumentContents

    package init(item: DocumentItem, contents: DocumentContents) {
        self.item = item
        self.contents = contents
    }

    /// Whether an item's contents have changed. Versions decide; without them, the modification date and size do.
    package static func differs(_ item: DocumentItem, from known: DocumentItem) -> Bool {
        if let isSame = item.hasContent(of: known) { return !isSame }
        return item.modificationDate != known.modificationDate || item.size != known.size
    }
}

/// What to save.
package struct DocumentWriting: Sendable {
    package let contents: DocumentContents
    package let attributes: DocumentAttributes
    /// The item that the contents are based on; nil for a new document.
    package let base: DocumentItem?
    /// Withdraws the save while it waits for its turn.
    package let cancellation: AccessCancellation
    /// The longest time that it may wait for its turn.
    package let deadline: Duration?

    /// Checks that the contents are based on the stored item.
    ///
    /// - Throws: ``StoredDocument/Diverged`` otherwise.
    package func check(against stored: DocumentItem) throws {
        if let base, StoredDocument.differs(stored, from: base) { throw StoredDocument.Diverged(item: stored) }
    }
}
