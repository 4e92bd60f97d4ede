import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Makes an opaque, sealed name that restores the right in a later session of the same client, and only of that
    /// client.
    ///
    /// The bookmark survives renames, moves, eviction and the absence of its provider. It ends with the right; from
    /// then on it fails with ``DocumentsError`` `notFound`. Making a bookmark takes a right that was offered to
    /// persist.
    ///
    /// - Parameters:
    ///   - options: how the bookmark is made.
    ///   - keys: values of the document to embed, for ``DocumentsClient/values(ofBookmark:)``.
    ///   - folder: a granted folder that is required to resolve the bookmark.
    /// - Throws: ``DocumentsError``: `notPermitted` without a right or with one that ends with this program,
    ///   `unavailable` while the keyring with the key is locked, or the provider's error.
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
