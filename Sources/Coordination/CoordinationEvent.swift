/// What happened to the coordination.
package enum CoordinationEvent: Sendable {
    /// Somebody wants to read or write.
    case requested(Claim)
    /// The accessor of a held claim returned. Nothing happens for one that is not held.
    case released(Claim.Identifier, AccessOutcome)
    /// An item is somewhere else (2.5): by a claim that is held, or by nobody who coordinates. Whatever lies in it
    /// moves along.
    case moved(Claim.Identifier?, from: ItemKey, to: ItemLocation)
    /// Something was made at an absent place: claims and presenters of that place mean it from now on.
    case appeared(ItemKey, as: ItemLocation, by: Claim.Identifier?)
    /// The maker of a claim does not want it any more (2.8). A held one stays held.
    case cancelled(Claim.Identifier)
    /// The presenter did not answer in time. Readers go on without it, writers fail.
    case deadlinePassed(PresenterMessage.Identifier)
    /// The presenter answered; error: why it could not save or agree.
    case answered(PresenterMessage.Identifier, error: String?)
    /// What a claim reads is there.
    case provided(Claim.Identifier)
    /// What a claim reads could not be fetched.
    case provideFailed(Claim.Identifier, String)
    /// Somebody presents an item.
    case presenterAdded(Presenter)
    /// And no more.
    case presenterRemoved(Presenter.Identifier)
    /// A client's connection ended: its claims and presenters end, and the answers that it owes count as given.
    case ownerGone(Claim.Owner)
    /// News that the outcome of no claim tells. With a claim that is held as origin they are sent when it ends.
    case changed(ItemLocation, by: PresenterMessage.Origin, ChangeKind)
    /// It became known better where an item lies or of what kind it is. Not a move: nobody is told.
    case located(ItemLocation)
}
