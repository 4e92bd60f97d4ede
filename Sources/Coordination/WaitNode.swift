/// Something that waits or is waited for (SEMANTICS 2.9).
package enum WaitNode: Hashable, Sendable {
    /// A claim.
    case claim(Claim.Identifier)
    /// The answer of a presenter to a message.
    case message(PresenterMessage.Identifier, Presenter.Identifier)
    /// The provider, which fetches what a claim reads.
    case provider(Claim.Identifier)
    /// A thread of an owner.
    case thread(Claim.Owner, String)
}
