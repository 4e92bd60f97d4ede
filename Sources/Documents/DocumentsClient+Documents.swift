import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// A document that was granted to this client. An invalid grant is reported only when the document is used.
    public func document(_ reference: DocumentReference, access: AccessMode = .read) -> SecurityScopedDocument {
        SecurityScopedDocument(reference: reference, access: access, client: self)
    }

    /// How much space the account of a granted document or folder has. The answer may be a minute old, or older while
    /// the provider does not answer.
    ///
    /// - Throws: ``DocumentsError``: `notSupported` if the provider does not know, `notPermitted` without a right to
    ///   the document.
    public func usage(of reference: DocumentReference) async throws(DocumentsError) -> AccountUsage {
        try await usage(of: reference, within: nil)
    }

    /// The same, with a limit for how long the answer may take.
    package func usage(
        of reference: DocumentReference, within deadline: Duration?
    ) async throws(DocumentsError) -> AccountUsage {
        let reply = try await call(
            DocumentsInterface.Usage.self, .init(reference: reference.wire), deadline: deadline
        ).value
        return AccountUsage(
            totalBytes: reply.totalBytes, usedBytes: reply.usedBytes, availableBytes: reply.availableBytes)
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
