extension FileCoordinator {
    /// Holds a claim while `body` runs in the caller's isolation, then publishes what was written and releases the
    /// claim.
    func withClaim<Result>(
        _ query: ClaimQuery, forbidsWriting: Bool, _ body: (HeldClaim) async throws -> Result
    ) async throws -> Result {
        let claim = try await hold(query)
        let result: Result
        do {
            result = try await CoordinationContext.$current.withValue(context(claim, forbidsWriting)) {
                let result = try await body(claim)
                try await claim.commit()
                return result
            }
        } catch {
            await claim.abandon()
            _ = claim.release()
            refreshPresenter()
            throw error
        }
        if !claim.release(), claim.mustBeReassured {
            try await BlockingWork.value { () throws(DocumentsError) in try claim.reassureBlocking() }
        }
        refreshPresenter()
        return result
    }

    private func hold(_ query: ClaimQuery) async throws(DocumentsError) -> HeldClaim {
        let cancellation = try begin()
        defer { end(cancellation) }
        return try await client.hold(query, cancellation)
    }

    /// The form that blocks the calling thread.
    func withClaimBlocking<Result>(
        _ query: ClaimQuery, forbidsWriting: Bool, _ body: (HeldClaim) throws -> Result
    ) throws -> Result {
        let claim = try holdBlocking(query)
        let result: Result
        do {
            result = try CoordinationContext.$current.withValue(context(claim, forbidsWriting)) {
                let result = try body(claim)
                try claim.commitBlocking()
                return result
            }
        } catch {
            claim.abandonBlocking()
            _ = claim.release()
            refreshPresenter()
            throw error
        }
        if !claim.release(), claim.mustBeReassured { try claim.reassureBlocking() }
        refreshPresenter()
        return result
    }

    private func holdBlocking(_ query: ClaimQuery) throws(DocumentsError) -> HeldClaim {
        let cancellation = try begin()
        defer { end(cancellation) }
        return try client.holdBlocking(query, cancellation)
    }

    private func context(_ claim: HeldClaim, _ forbidsWriting: Bool) -> CoordinationContext {
        CoordinationContext.current.adding(
            CoordinationContext.Enclosing(
                claim: claim, coordinator: ObjectIdentifier(self), forbidsWriting: forbidsWriting))
    }
}
