import Coordination
package import Isolation

/// The claims that are held now: the algorithm of `Coordination` with waiting tasks around it.
///
/// In this first form the host takes a writing claim on an item for the time in which it changes it, so that writes of one
/// item never overlap. Claims of clients come with the coordinator of the SDK.
package actor Coordinator {
    private var table = ClaimTable()
    private var next: UInt64 = 1
    private var waiting: [Claim.Identifier: CheckedContinuation<Void, any Error>] = [:]

    package init() {}

    /// Runs a body while a writing claim on an item is held; first come, first served. Cancelling the task gives up waiting.
    package func withWritingClaim<Result: Sendable>(
        on key: Isolation.ItemKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let identifier = Claim.Identifier(rawValue: next)
        let claim = Claim(
            id: identifier, owner: Claim.Owner(rawValue: next), purpose: "host-\(next)",
            writing: [
                Coordination.ItemKey(provider: key.provider, domain: key.domain, identifier: key.identifier)
            ])
        next += 1
        try await acquire(claim)
        defer { resume(table.release(identifier)) }
        return try await body()
    }

    private func acquire(_ claim: Claim) async throws {
        let identifier = claim.id
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                waiting[identifier] = continuation
                if let outcome = table.request(claim) { resume(outcome) }
            }
        } onCancel: {
            Task { await self.cancel(identifier) }
        }
    }

    private func cancel(_ identifier: Claim.Identifier) {
        guard let continuation = waiting.removeValue(forKey: identifier) else { return }
        resume(table.cancel(identifier))
        continuation.resume(throwing: CancellationError())
    }

    private func resume(_ outcome: ClaimTable.Outcome) {
        for claim in outcome.granted { waiting.removeValue(forKey: claim.id)?.resume() }
    }
}
