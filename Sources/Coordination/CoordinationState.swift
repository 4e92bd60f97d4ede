/// Decides which claims may read and write which items, which presenters are asked before and notified after, and which
/// claims would wait for themselves. It performs no actions itself: each event returns the actions for the caller.
///
/// - Claims on an item are granted in the order of their arrival. A claim takes all of its items at once and holds none
///   while it waits, so the order of the items cannot cause a deadlock.
/// - Three kinds of claims go ahead of earlier ones. A claim within the access of a held claim, or with its purpose,
///   goes ahead of all that wait for that claim. A claim made while a presenter answers, or by that presenter, goes
///   ahead of the claim that asked and of all that wait for it. A provider's claim under its own purpose goes ahead of
///   the claim that it fetches for.
/// - A claim is first waiting for its turn, then asking presenters, then providing, then held. Only a held claim
///   excludes others for certain; the others keep their place in the order.
/// - A cycle of declared waits (claims within claims, claims made while answering messages, blocked threads, claims of
///   providers) is broken at once: its youngest claim fails.
///
/// Equal events always have equal effects, in equal order.
package struct CoordinationState: Sendable {
    var claims = ClaimBook()
    var presenters = PresenterBook()
    /// The effects of the current event so far.
    var effects: [CoordinationEffect] = []
    /// The claims that started to wait during the current event and may close a cycle.
    var suspects: [Claim.Identifier] = []
    private var lastOrder: UInt64 = 0
    private var lastMessage: UInt64 = 0

    /// Creates a state without claims and presenters.
    package init() {}

    /// Handles an event.
    ///
    /// - Returns: the resulting actions, in order.
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

    /// The fast path for a claim that is held at once because no presenter must be asked and nothing blocks it.
    ///
    /// Its cost does not depend on the number of other claims or presenters.
    ///
    /// - Parameter isProvided: whether what it reads is already available.
    /// - Returns: whether it is held now. If false, nothing has changed, and the claim must be requested.
    package mutating func grantAtOnce(_ claim: Claim, isProvided: Bool) -> Bool {
        guard isProvided || !claim.needsProvider, !claim.prepares, claim.within.isEmpty, claims[claim.id] == nil,
            claims.nearestConflicts(with: claim).isEmpty, concerned(by: claim).isEmpty
        else { return false }
        var node = ClaimNode(claim, order: nextOrder())
        node.stage = .held
        claims.insert(node)
        return true
    }

    /// A claim that is waiting or held, with the current locations of its items.
    package func claim(_ id: Claim.Identifier) -> Claim? { claims[id]?.claim }

    /// Whether a claim is held. A claim that only prepares counts as held until its release.
    package func isHeld(_ id: Claim.Identifier) -> Bool { claims[id]?.isHeld == true }

    /// The claims of an owner in the order of arrival.
    package func claims(of owner: Claim.Owner) -> [Claim] { claims.claims(of: owner).compactMap { claims[$0]?.claim } }

    /// A presenter, with the current location of its item.
    package func presenter(_ id: Presenter.Identifier) -> Presenter? { presenters[id]?.presenter }

    /// The presenters of an owner in the order of their names.
    package func presenters(of owner: Claim.Owner) -> [Presenter] {
        presenters.presenters(of: owner).compactMap { presenters[$0]?.presenter }
    }

    /// Whether there are no claims and presenters.
    package var isEmpty: Bool { claims.isEmpty && presenters.isEmpty }

    /// The number of entries examined since the beginning: a measure of cost for tests.
    package var visits: Int { claims.visits + presenters.visits }

    mutating func nextOrder() -> UInt64 {
        lastOrder += 1
        return lastOrder
    }

    /// Adds a message to a presenter's queue, at its end or head, and sends what may be sent.
    ///
    /// - Returns: the message's name; nil when the presenter no longer exists.
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

    /// Sends the messages that a presenter may receive now.
    mutating func flush(_ presenter: Presenter.Identifier) {
        while let message = presenters.next(for: presenter) { effects.append(.send(message)) }
    }
}
