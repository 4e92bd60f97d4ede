import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// An opaque, sealed name that brings the right back in a later session of the same client, and of no other (G4, G8).
    ///
    /// It survives renames, moves, eviction, and its provider's absence; it ends with the right (``DocumentsError`` `notFound`
    /// from then on). A right that was offered to persist is taken by it.
    ///
    /// - Parameters:
    ///   - options: how it is made.
    ///   - keys: values of the document to embed, for ``DocumentsClient/values(ofBookmark:)``.
    ///   - folder: a granted folder without which the bookmark cannot be resolved.
    /// - Throws: ``DocumentsError``: `notPermitted` without a right or with one that ends with this program,
    ///   `unavailable` while the keyring that has the key is locked, or what the provider says.
    public func bookmark(
        options: BookmarkOptions = [], includingValuesFor keys: [BookmarkValueKey] = [],
        relativeTo folder: SecurityScopedDocument? = nil
    ) async throws(DocumentsError) -> String {
        try await client.call(
            DocumentsInterface.CreateBookmark.self,
            .init(
                reference: reference.wire,
                readOnly: options.contains(.securityScopeAllowOnlyReadAccess) ? true : nil,
                keys: keys.isEmpty ? nil : keys.map(\.rawValue), relativeTo: folder?.reference.wire)
        ).value.bookmark
    }
}
