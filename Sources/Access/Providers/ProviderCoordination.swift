package import Coordination
package import HostCore

/// What the claims of extensions need of the coordination of the house.
package protocol ProviderCoordination: Sendable {
    /// Waits until a claim is granted. Cancelling the task gives it up.
    ///
    /// - Throws: ``Failure``: why it is not; `Deadlock` when it would wait for who waits for the extension (2.9, 5).
    func acquire(_ claim: ProviderClaim, for party: CoordinationParty) async throws -> Claim.Identifier

    /// Ends a claim as soon as those who present what was written have been told; nothing happens for one that has
    /// ended.
    func finish(_ claim: Claim.Identifier)

    /// An extension has gone: all that it held or waited for ends.
    func ended(_ owner: Claim.Owner)
}
