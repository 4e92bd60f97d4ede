/// An action that follows from an event. Actions are carried out in order.
package enum CoordinationEffect: Hashable, Sendable {
    /// Deliver a message. If it needs an answer, the presenter's time limit starts now.
    case send(PresenterMessage)
    /// Make the content or placeholders that the claim reads available. Answer with `provided` or `provideFailed`, at
    /// once if nothing is missing.
    case provide(Claim.Identifier)
    /// The claim is held from now on, until `released`.
    case granted(Claim.Identifier)
    /// The claim ended without being granted.
    case failed(Claim.Identifier, CoordinationFailure)
    /// What `provide` asked for is no longer needed: cancel it. Follows `failed`.
    case withdrawProvide(Claim.Identifier)
}
