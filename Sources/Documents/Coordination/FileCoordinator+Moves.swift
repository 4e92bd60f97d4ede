import DocentInterfaces

extension FileCoordinator {
    /// Does nothing, because a move needs no announcement here. It exists so that code written for it still works.
    public func item(at reference: DocumentReference, willMoveTo newReference: DocumentReference) {}

    /// Reports, within a writing accessor of this coordinator, that the item was moved without
    /// ``WritingAccess/move(to:name:)``. Waiting claims and presenters are then given the new place. Equal references
    /// are ignored.
    ///
    /// - Throws: ``DocumentsError``; `invalidArgument` outside a writing accessor.
    public func item(
        at reference: DocumentReference, didMoveTo newReference: DocumentReference
    ) async throws(DocumentsError) {
        guard reference != newReference else { return }
        _ = try await client.call(DocumentsInterface.DidMove.self, try didMove(reference, newReference))
    }

    /// The form that blocks the calling thread.
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
                .invalidArgument, "A move was reported outside a coordinated write.",
                suggestion: "Report it within the accessor, after the move.")
        }
        return .init(
            claim: enclosing.claim.operation, reference: reference.wire, newReference: newReference.wire)
    }
}
