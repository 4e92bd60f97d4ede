import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Makes a right last that would end with the client, as a bookmark does by itself. Durable when it returns; without effect
    /// on one that lasts already.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself, or when the user gave it for as
    ///   long as the client runs.
    public func takePersistentAccess() async throws(DocumentsError) {
        _ = try await client.call(DocumentsInterface.TakeAccess.self, .init(reference: reference.wire))
    }

    /// Narrows this client's right to the document, for all its sessions; only the user can widen it again. Bookmarks made before bring
    /// back no more. ``access`` of objects that exist goes on telling what it was.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself, or none so wide.
    public func narrowAccess(to access: AccessMode) async throws(DocumentsError) {
        _ = try await client.call(
            DocumentsInterface.NarrowAccess.self, .init(reference: reference.wire, access: access.rawValue))
    }

    /// Gives this client's right to the document up, with the bookmarks made of it. What it has written and not committed is kept as a
    /// recovered version.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` when there is no right to this document itself.
    public func giveUpAccess() async throws(DocumentsError) {
        _ = try await client.call(DocumentsInterface.NarrowAccess.self, .init(reference: reference.wire))
    }
}
