/// A claim and its progress.
struct ClaimNode: Sendable {
    /// A notification for a presenter that is sent when the claim ends.
    struct News: Hashable, Sendable {
        let presenter: Presenter.Identifier
        let message: PlannedMessage
    }

    var claim: Claim
    /// The position in the order of arrival.
    let order: UInt64
    var stage = CoordinationLedger.Stage.waiting
    /// Whether all presenters have answered; they are not asked twice.
    var isAsked = false
    /// Whether the provider has finished its part.
    var isProvided = false
    /// The claims that must end first.
    var blockers: Set<Claim.Identifier> = []
    /// The claims that this one blocks.
    var dependents: Set<Claim.Identifier> = []
    /// The messages that each presenter must still receive before the claim is granted.
    var steps: [Presenter.Identifier: ArraySlice<PlannedMessage>] = [:]
    /// The message that each presenter still has to answer.
    var pending: [Presenter.Identifier: PresenterMessage.Identifier] = [:]
    /// The presenters that relinquished the item, with the message that asked for it.
    var relinquished: [Presenter.Identifier: PresenterMessage.Identifier] = [:]
    /// What each presenter was asked. Kept by claims that only prepare, for the claims made within them.
    var told: [Presenter.Identifier: Set<PresenterMessage.Kind>] = [:]
    /// What happened while it was held.
    var news: [News] = []

    init(_ claim: Claim, order: UInt64) {
        self.claim = claim
        self.order = order
    }

    var isHeld: Bool { stage == .held }
}
