/// What is to be done in consequence of an event, in this order.
package enum CoordinationEffect: Hashable, Sendable {
    /// Deliver a message. If it needs an answer, the presenter's time starts now.
    case send(PresenterMessage)
    /// Have there what the claim reads, or its placeholders: to be answered by `provided` or `provideFailed`, at once
    /// if nothing is missing.
    case provide(Claim.Identifier)
    /// It is held from now on, until `released`.
    case granted(Claim.Identifier)
    /// It has ended without having been granted.
    case failed(Claim.Identifier, CoordinationFailure)
    /// Nobody waits for what was asked with `provide` any more: its progress is to be cancelled (2.8). Follows
    /// `failed`.
    case withdrawProvide(Claim.Identifier)
}
