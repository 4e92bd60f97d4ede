import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// Restores the document of a bookmark, with its right.
    ///
    /// - Parameters:
    ///   - bookmark: the result of ``SecurityScopedDocument/bookmark(options:includingValuesFor:relativeTo:)``.
    ///   - folder: the folder that the bookmark is relative to, if any.
    /// - Returns: the document, its metadata, and whether the bookmark is stale and should be made again because the
    ///   document's identifier, name or folder has changed since.
    /// - Throws: ``DocumentsError``: `notFound` when the bookmark does not belong to this client, its right has ended,
    ///   or its provider is no longer installed; `unavailable` while the keyring with the key is locked; or the
    ///   provider's error.
    public func resolve(
        bookmark: String, relativeTo folder: SecurityScopedDocument? = nil
    ) async throws(DocumentsError) -> (document: SecurityScopedDocument, item: DocumentItem, isStale: Bool) {
        let reply = try await call(
            DocumentsInterface.ResolveBookmark.self,
            .init(bookmark: bookmark, relativeTo: folder?.reference.wire)
        ).value
        let item = DocumentItem(reply.item)
        let document = SecurityScopedDocument(
            reference: item.reference, access: AccessMode(rawValue: reply.access) ?? .read, client: self)
        return (document, item, reply.stale)
    }

    /// The values embedded in a bookmark of this client. No provider is asked; the document may no longer exist.
    ///
    /// - Throws: ``DocumentsError``: `notFound` when the bookmark does not belong to this client or its right has
    ///   ended, `unavailable` while the keyring with the key is locked.
    public func values(ofBookmark bookmark: String) async throws(DocumentsError) -> BookmarkValues {
        BookmarkValues(try await call(DocumentsInterface.BookmarkValues.self, .init(bookmark: bookmark)).value)
    }
}
