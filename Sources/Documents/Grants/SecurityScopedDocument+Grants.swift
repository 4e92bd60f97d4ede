import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Makes a right persistent that would otherwise end with the client. Making a bookmark does the same. Durable when
    /// this returns; it has no effect on a persistent right.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself, or when the user
    ///   gave it only for as long as the client runs.
    public func takePersistentAccess() async throws(DocumentsError) {
        _ = try await client.call(DocumentsInterface.TakeAccess.self, .init(reference: reference.wire))
    }

    /// Narrows this client's right to the document, in all its sessions; only the user can widen it again. Existing
    /// bookmarks restore only the narrowed right. ``access`` of existing objects does not change.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself, or it does not
    ///   include `access`.
    public func narrowAccess(to access: AccessMode) async throws(DocumentsError) {
        _ = try await client.call(
            DocumentsInterface.NarrowAccess.self, .init(reference: reference.wire, access: access.rawValue))
    }

    /// Gives up this client's right to the document, including its bookmarks. Uncommitted changes are kept as a
    /// recovered version.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself.
    public func giveUpAccess() async throws(DocumentsError) {
        _ = try await client.call(DocumentsInterface.NarrowAccess.self, .init(reference: reference.wire))
    }
}
