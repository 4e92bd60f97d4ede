/// Presenters, their answers, and notifications for them.
extension CoordinationState {
    mutating func add(_ presenter: Presenter) {
        guard presenters[presenter.id] == nil else { return }
        presenters.insert(presenter)
    }

    /// Removes a presenter. Its pending answers count as given.
    mutating func remove(_ id: Presenter.Identifier) {
        for claim in forget(id) { askNext(id, for: claim) }
    }

    /// Removes a presenter from the book and from the claims that wait for it.
    ///
    /// - Returns: the claims that waited for its answers.
    private mutating func forget(_ id: Presenter.Identifier) -> [Claim.Identifier] {
        guard let record = presenters.remove(id) else { return [] }
        var result: [Claim.Identifier] = []
        for question in record.questions {
            guard case .claim(let claim) = question.origin, claims[claim]?.pending[id] == question.id else { continue }
            claims.update(claim) {
                $0.pending[id] = nil
                $0.steps[id] = []
            }
            result.append(claim)
        }
        return result
    }

    /// Records the answer to a message.
    mutating func answer(_ id: PresenterMessage.Identifier, error: String?) {
        if let (presenter, late) = presenters.finishLate(id) {
            guard late.isRelinquish else { return }
            if let claim = late.claim, claims[claim] != nil {
                claims.update(claim) { $0.relinquished[presenter] = id }
            } else {
                reacquire(presenter, after: id, for: late.claim, isNext: true)
            }
            return
        }
        guard let message = presenters.finish(id) else { return }
        let presenter = message.presenter
        if case .claim(let claim) = message.origin, claims[claim]?.pending[presenter] == id {
            claims.update(claim) {
                $0.pending[presenter] = nil
                if message.kind.isRelinquish { $0.relinquished[presenter] = id }
            }
            if let error, !message.kind.isRelinquish {
                fail(claim, .presenterFailed(presenter, error))
            } else {
                askNext(presenter, for: claim)
            }
        } else if message.kind.isRelinquish, case .claim(let claim) = message.origin {
            reacquire(presenter, after: id, for: claim, isNext: true)
        }
        flush(presenter)
    }

    /// Continues without a presenter's answer: readers proceed, writers fail.
    mutating func passDeadline(of id: PresenterMessage.Identifier) {
        guard let message = presenters.finish(id) else { return }
        let presenter = message.presenter
        presenters.remember(late: message)
        if case .claim(let claim) = message.origin, let node = claims[claim], node.pending[presenter] == id {
            claims.update(claim) {
                $0.pending[presenter] = nil
                $0.steps[presenter] = []
            }
            if node.claim.isWriting {
                fail(claim, .presenterSilent(presenter, id))
            } else {
                askNext(presenter, for: claim)
            }
        }
        flush(presenter)
    }

    /// Ends everything that belongs to an owner.
    mutating func end(_ owner: Claim.Owner) {
        var waiting: [(Claim.Identifier, Presenter.Identifier)] = []
        for presenter in presenters.presenters(of: owner) { waiting += forget(presenter).map { ($0, presenter) } }
        var freed: Set<Claim.Identifier> = []
        for claim in claims.claims(of: owner) {
            if let node = claims[claim], !node.isHeld {
                effects.append(.failed(claim, .ownerGone))
                if node.stage == .providing { effects.append(.withdrawProvide(claim)) }
            }
            freed.formUnion(detach(claim))
        }
        for (claim, presenter) in waiting { askNext(presenter, for: claim) }
        promote(freed)
    }

    // MARK: Notifications

    /// Notifies presenters of a change: at once, or when the claim that caused it ends.
    mutating func change(_ location: ItemLocation, _ kind: ChangeKind, by origin: PresenterMessage.Origin) {
        var candidates = presenters.presenters(of: [location.item] + location.folders)
        if kind == .deleted { candidates.formUnion(presenters.presenters(inside: location.item)) }
        var excluded: Presenter.Identifier?
        if case .claim(let claim) = origin, !kind.isOfVersions { excluded = claims[claim]?.claim.presenter }
        for candidate in candidates.sorted() where candidate != excluded {
            guard let presented = presenters[candidate]?.presenter.location,
                let relation = MessagePlan.Relation(of: presented, to: location),
                let message = MessagePlan.news(kind, to: relation)
            else { continue }
            tell(candidate, PlannedMessage(message, location.item), by: origin)
        }
    }

    mutating func tell(_ presenter: Presenter.Identifier, _ message: PlannedMessage, by origin: PresenterMessage.Origin)
    {
        if case .claim(let claim) = origin, claims[claim]?.isHeld == true {
            claims.update(claim) { $0.news.append(.init(presenter: presenter, message: message)) }
        } else {
            send(message, to: presenter, origin: origin)
        }
    }
}
