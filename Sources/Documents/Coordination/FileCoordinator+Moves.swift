import DocentInterfaces

extension FileCoordinator {
    /// Does nothing: here a move needs no announcement (2.5). It is there so that code written for it runs.
    public func item(at reference: DocumentReference, willMoveTo newReference: DocumentReference) {}

    /// Says, within a writing accessor of this coordinator, that the item was moved by other means than ``WritingAccess/move(to:name:)``:
    /// who waits for it or presents it learns where it is (2.5). Equal references do no harm.
    ///
    /// - Throws: ``DocumentsError``; `invalidArgument` outside of a writing accessor.
    public func item(
        at reference: DocumentReference, didMoveTo newReference: DocumentReference
    ) async throws(DocumentsError) {
        guard reference != newReference else { return }
        _ = try await client.call(DocumentsInterface.DidMove.self, try didMove(reference, newReference))
    }

    /// The same for synchronous code.
    public func item(at reference: DocumentReference, didMoveTo newReference: DocumentReference) throws(DocumentsError)
    {
        guard reference != newReference else { return }
        _ = try client.callBlocking(DocumentsInterface.DidMove.self, try didMove(reference, newReference))
    }

    private func didMove(
        _ reference: DocumentReference, _ newReference: DocumentReference
    ) throws(DocumentsError) -> DocumentsInterface.DidMove.Parameters {
        let identifier = ObjectIdentifier(self)
        let enclosing = CoordinationContext.current.enclosing.last {
            $0.coordinator == identifier && !$0.claim.isEnded && $0.claim.query.intents.contains(where: \.isWriting)
        }
        guard let enclosing else {
            throw DocumentsError(
                .invalidArgument, "A move was told outside of a coordinated write.",
                suggestion: "Tell it within the accessor, after the move.")
        }
        return .init(
            claim: enclosing.claim.operation, reference: reference.wire, newReference: newReference.wire)
    }
}
