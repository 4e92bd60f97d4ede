import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// A document that was granted to this client. An invalid grant is reported only when the document is used.
    public func document(_ reference: DocumentReference, access: AccessMode = .read) -> SecurityScopedDocument {
        SecurityScopedDocument(reference: reference, access: access, client: self)
    }

    /// The outcome of a change whose reply was lost.
    public func outcome(of operation: String) async throws(DocumentsError) -> OperationOutcome {
        let reply = try await call(DocumentsInterface.Outcome.self, .init(operation: operation)).value
        return OperationOutcome(
            state: OperationOutcome.State(rawValue: reply.state) ?? .unknown, message: reply.message,
            reference: reply.reference.map(DocumentReference.init))
    }

    /// Cancels a waiting or changing call by its operation. A change that has passed its commit point is not undone.
    ///
    /// - Returns: whether there was such a call.
    public func cancel(operation: String) async throws(DocumentsError) -> Bool {
        try await call(DocumentsInterface.Cancel.self, .init(operation: operation)).value.found
    }
}
