/// One claim as it stands, for people who look for the culprit of a wait (SEMANTICS 2.9).
package struct ClaimLedgerEntry: Hashable, Sendable {
    /// The claim.
    package let claim: Claim
    /// Whether it is held; otherwise it waits.
    package let isHeld: Bool
    /// The claims that it waits for directly, held ones first and each group in the order of arrival. Never empty for
    /// a claim that waits.
    package let waitsFor: [Claim.Identifier]
}
