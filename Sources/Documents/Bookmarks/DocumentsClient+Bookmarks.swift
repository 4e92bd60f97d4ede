import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// The document behind a bookmark, with its right (G5, G8).
    ///
    /// - Parameters:
    ///   - bookmark: what ``SecurityScopedDocument/bookmark(options:includingValuesFor:relativeTo:)`` gave.
    ///   - folder: the folder that it is relative to, if it was made so.
    /// - Returns: the document, what is known of it, and whether the bookmark is stale and should be made anew: the document
    ///   has another identifier, name or folder than when it was made.
    /// - Throws: ``DocumentsError``: `notFound` for a bookmark that is of no use to this client, and for one whose provider
    ///   is not installed any more; `unavailable` while the keyring that has the key is locked; what the provider says.
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

    /// What was embedded in a bookmark of this client. No provider is asked; the document may be gone.
    ///
    /// - Throws: ``DocumentsError``: `notFound` for a bookmark that is of no use to this client, `unavailable` while the
    ///   keyring that has the key is locked.
    public func values(ofBookmark bookmark: String) async throws(DocumentsError) -> BookmarkValues {
        BookmarkValues(try await call(DocumentsInterface.BookmarkValues.self, .init(bookmark: bookmark)).value)
    }
}
