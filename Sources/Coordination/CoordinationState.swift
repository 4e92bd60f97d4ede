/// Decides who may read and write which items, who is asked before and told after, and who would wait for himself
/// (SEMANTICS 2.3 to 2.9). It does nothing by itself: each event tells what follows from it, and the caller acts on
/// that.
///
/// - First come, first served per item. A claim takes all of its items at one moment and holds none while it waits, so
///   claims cannot lock each other out by their order.
/// - Three kinds of claims go ahead of others that came before: one made within the access of a held claim, or of its
///   purpose, ahead of whoever waits for that claim; one made while a presenter answers, or by that presenter, ahead of
///   the claim that asked and of whoever waits for it; one of a provider under its own purpose ahead of the claim that
///   it fetches for.
/// - A claim is waiting until its turn has come, then asking presenters, then providing, then held. Only a held claim
///   excludes others for certain; those before keep their place in the order.
/// - A cycle of waits that were declared (claims within claims, claims that answer messages, blocked threads, claims of
///   providers) is broken at once: its youngest claim fails.
///
/// Equal events always have equal effects, in equal order.
package struct CoordinationState: Sendable {
    var claims = ClaimBook()
    var presenters = PresenterBook()
    /// What the present event has brought about so far.
    var effects: [CoordinationEffect] = []
    /// Claims that wait for something since the present event, so that they may close a cycle.
    var suspects: [Claim.Identifier] = []
    private var lastOrder: UInt64 = 0
    private var lastMessage: UInt64 = 0

    /// Makes a state in which nobody claims or presents anything.
    package init() {}

    /// Takes note of what happened.
    ///
    /// - Returns: what is to be done about it, in this order.
    package mutating func handle(_ event: CoordinationEvent) -> [CoordinationEffect] {
        switch event {
        case .requested(let claim): request(claim)
        case .released(let id, let outcome): release(id, outcome)
        case .moved(let claim, let source, let location): move(source, to: location, by: claim)
        case .appeared(let place, let location, let claim): appear(place, as: location, by: claim)
        case .cancelled(let id): if claims[id]?.isHeld == false { fail(id, .cancelled) }
        case .deadlinePassed(let message): passDeadline(of: message)
        case .answered(let message, let error): answer(message, error: error)
        case .provided(let id): provided(id)
        case .provideFailed(let id, let text):
            if claims[id]?.stage == .providing { fail(id, .providerFailed(text), withdraws: false) }
        case .presenterAdded(let presenter): add(presenter)
        case .presenterRemoved(let id): remove(id)
        case .ownerGone(let owner): end(owner)
        case .changed(let location, let origin, let kind): change(location, kind, by: origin)
        case .located(let location): relocate(location.item, to: location, movesReplacing: true)
        }
        breakCycles()
        defer { effects = [] }
        return effects
    }

    /// The way of a claim that nobody is in the way of: it is held at once when nobody must be asked or waited for.
    ///
    /// It costs the same however many other items are claimed or presented.
    /// - Parameter isProvided: whether what it reads is there already.
    /// - Returns: whether it is held now. Otherwise nothing has happened, and it is to be requested.
    package mutating func grantAtOnce(_ claim: Claim, isProvided: Bool) -> Bool {
        guard isProvided || !claim.needsProvider, !claim.prepares, claim.within.isEmpty, claims[claim.id] == nil,
            claims.nearestConflicts(with: claim).isEmpty, concerned(by: claim).isEmpty
        else { return false }
        var node = ClaimNode(claim, order: nextOrder())
        node.stage = .held
        claims.insert(node)
        return true
    }

    /// A claim that waits or is held, with its items where they are now.
    package func claim(_ id: Claim.Identifier) -> Claim? { claims[id]?.claim }

    /// Whether a claim is held. One that only prepares counts as held until its release.
    package func isHeld(_ id: Claim.Identifier) -> Bool { claims[id]?.isHeld == true }

    /// The claims of an owner in the order of arrival.
    package func claims(of owner: Claim.Owner) -> [Claim] { claims.claims(of: owner).compactMap { claims[$0]?.claim } }

    /// A presenter, with its item where it is now.
    package func presenter(_ id: Presenter.Identifier) -> Presenter? { presenters[id]?.presenter }

    /// The presenters of an owner in the order of their names.
    package func presenters(of owner: Claim.Owner) -> [Presenter] {
        presenters.presenters(of: owner).compactMap { presenters[$0]?.presenter }
    }

    /// Whether nobody claims or presents anything.
    package var isEmpty: Bool { claims.isEmpty && presenters.isEmpty }

    /// How many entries have been looked at since the beginning: what it costs, in a measure for tests.
    package var visits: Int { claims.visits + presenters.visits }

    mutating func nextOrder() -> UInt64 {
        lastOrder += 1
        return lastOrder
    }

    /// Puts a message at the end of a presenter's queue, or at its head, and sends what may be sent.
    ///
    /// - Returns: its name; nil when that presenter is gone.
    @discardableResult mutating func send(
        _ message: PlannedMessage, to presenter: Presenter.Identifier, origin: PresenterMessage.Origin,
        isNext: Bool = false
    ) -> PresenterMessage.Identifier? {
        guard presenters[presenter] != nil else { return nil }
        lastMessage += 1
        let id = PresenterMessage.Identifier(rawValue: lastMessage)
        presenters.append(
            PresenterMessage(
                id: id, presenter: presenter, kind: message.kind, subject: message.subject, origin: origin),
            isNext: isNext)
        flush(presenter)
        return id
    }

    /// Sends what a presenter may be sent now.
    mutating func flush(_ presenter: Presenter.Identifier) {
        while let message = presenters.next(for: presenter) { effects.append(.send(message)) }
    }
}
