package import Coordination
package import HostCore

/// The part of coordination that the claims of extensions need.
package protocol ProviderCoordination: Sendable {
    /// Waits until a claim is granted. Cancelling the task cancels the claim.
    ///
    /// - Throws: ``Failure`` with the reason; `Deadlock` if the claim would wait for a party that waits for the
    ///   extension (2.9, 5).
    func acquire(_ claim: ProviderClaim, for party: CoordinationParty) async throws -> Claim.Identifier

    /// Ends a claim once presenters were notified of what was written. Does nothing if the claim has already ended.
    func finish(_ claim: Claim.Identifier)

    /// Called when an extension has gone: all its claims end, held or waiting.
    func ended(_ owner: Claim.Owner)
}
