import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// A document that this client has been granted, by its reference. Whether the grant still stands shows when it is used.
    public func document(_ reference: DocumentReference, access: AccessMode = .read) -> SecurityScopedDocument {
        SecurityScopedDocument(reference: reference, access: access, client: self)
    }

    /// The document behind a bookmark, with its right (G5, G8).
    ///
    /// - Returns: the document, what is known of it, and whether the bookmark is stale and should be made anew.
    /// - Throws: ``DocumentsError`` `notFound` for a bookmark that is nobody's or another client's.
    public func resolve(
        bookmark: String
    ) async throws(DocumentsError) -> (document: SecurityScopedDocument, item: DocumentItem, isStale: Bool) {
        let reply = try await call(DocumentsInterface.ResolveBookmark.self, .init(bookmark: bookmark)).value
        let item = DocumentItem(reply.item)
        let document = SecurityScopedDocument(
            reference: item.reference, access: AccessMode(rawValue: reply.access) ?? .read, client: self)
        return (document, item, reply.stale)
    }

    /// What became of a change whose reply was lost.
    public func outcome(of operation: String) async throws(DocumentsError) -> OperationOutcome {
        let reply = try await call(DocumentsInterface.Outcome.self, .init(operation: operation)).value
        return OperationOutcome(
            state: OperationOutcome.State(rawValue: reply.state) ?? .unknown, message: reply.message,
            reference: reply.reference.map(DocumentReference.init))
    }

    /// Ends a waiting or changing call by its operation. Past its commit point it is not undone.
    ///
    /// - Returns: whether there was such a call.
    public func cancel(operation: String) async throws(DocumentsError) -> Bool {
        try await call(DocumentsInterface.Cancel.self, .init(operation: operation)).value.found
    }
}
