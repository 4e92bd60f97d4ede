/// Something that waits or is waited for.
package enum WaitNode: Hashable, Sendable {
    /// A claim.
    case claim(Claim.Identifier)
    /// A presenter's answer to a message.
    case message(PresenterMessage.Identifier, Presenter.Identifier)
    /// The provider's part in a claim: to fetch what it reads.
    case provider(Claim.Identifier)
    /// A thread of an owner.
    case thread(Claim.Owner, String)
}
