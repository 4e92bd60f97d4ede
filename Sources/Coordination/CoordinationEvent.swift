/// An event in the coordination.
package enum CoordinationEvent: Sendable {
    /// A claim was requested.
    case requested(Claim)
    /// The accessor of a held claim has returned. Ignored for a claim that is not held.
    case released(Claim.Identifier, AccessOutcome)
    /// An item was moved, with everything in it: by a held claim, or without coordination.
    case moved(Claim.Identifier?, from: CoordinatedItem, to: ItemLocation)
    /// An item was created at an absent place. Claims and presenters of that place now refer to the item.
    case appeared(CoordinatedItem, as: ItemLocation, by: Claim.Identifier?)
    /// The claim is no longer wanted. A held claim stays held.
    case cancelled(Claim.Identifier)
    /// The presenter did not answer in time. Readers continue without the answer; writers fail.
    case deadlinePassed(PresenterMessage.Identifier)
    /// The presenter answered. error: why it could not save or refuses.
    case answered(PresenterMessage.Identifier, error: String?)
    /// What the claim reads is available.
    case provided(Claim.Identifier)
    /// What the claim reads could not be fetched.
    case provideFailed(Claim.Identifier, String)
    /// A presenter was added.
    case presenterAdded(Presenter)
    /// A presenter was removed.
    case presenterRemoved(Presenter.Identifier)
    /// A client's connection ended. Its claims and presenters end, and its pending answers count as given.
    case ownerGone(Claim.Owner)
    /// A change that no claim's outcome reports. If its origin is a held claim, presenters are notified when that claim
    /// ends.
    case changed(ItemLocation, by: PresenterMessage.Origin, ChangeKind)
    /// More is known about an item's location or kind. This is not a move, and no presenter is notified.
    case located(ItemLocation)
}
