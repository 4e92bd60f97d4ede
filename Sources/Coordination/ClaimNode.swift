/// A claim with what has come of it so far.
struct ClaimNode: Sendable {
    /// News for a presenter that waits for the end of the claim.
    struct News: Hashable, Sendable {
        let presenter: Presenter.Identifier
        let message: PlannedMessage
    }

    var claim: Claim
    /// Its place in the order of arrival.
    let order: UInt64
    var stage = CoordinationLedger.Stage.waiting
    /// Whether all presenters have answered; it is not asked for twice.
    var isAsked = false
    /// Whether the provider has done its part.
    var isProvided = false
    /// The claims that are to end first.
    var blockers: Set<Claim.Identifier> = []
    /// The claims that have this one as blocker.
    var dependents: Set<Claim.Identifier> = []
    /// What is still to be said to each presenter before it is granted.
    var steps: [Presenter.Identifier: ArraySlice<PlannedMessage>] = [:]
    /// The message whose answer it waits for, per presenter.
    var pending: [Presenter.Identifier: PresenterMessage.Identifier] = [:]
    /// The presenters that let go, with the message that asked for it.
    var relinquished: [Presenter.Identifier: PresenterMessage.Identifier] = [:]
    /// What each presenter was to be told; kept by claims that only prepare, for those made within (2.6).
    var told: [Presenter.Identifier: Set<PresenterMessage.Kind>] = [:]
    /// What happened while it was held.
    var news: [News] = []

    init(_ claim: Claim, order: UInt64) {
        self.claim = claim
        self.order = order
    }

    var isHeld: Bool { stage == .held }
}
