/// The life of a claim, from request to end.
extension CoordinationState {
    mutating func request(_ claim: Claim) {
        guard claims[claim.id] == nil else { return }
        if let sentence = misuse(claim) {
            effects.append(.failed(claim.id, .misuse(sentence)))
            return
        }
        let heads = heads(passedBy: claim)
        let node = ClaimNode(claim, order: nextOrder())
        if heads.isEmpty {
            claims.insert(node, behind: claims.nearestConflicts(with: claim))
        } else {
            let conflicts = claims.conflicts(with: claim)
            let queue = conflicts.isEmpty ? [] : claims.queue(behind: heads)
            let passed = conflicts.filter { queue.contains($0) && claims[$0]?.isHeld == false }
            claims.insert(node, behind: conflicts.subtracting(passed))
            for other in passed { claims.block(other, by: claim.id) }
        }
        suspects.append(claim.id)
        promote([claim.id])
    }

    /// Why a claim is not allowed; nil when it is.
    private func misuse(_ claim: Claim) -> String? {
        if claim.prepares {
            for access in claim.accesses {
                switch access.intent {
                case .reading(let options) where options.contains(.resolvesSymbolicLink):
                    return "A preparation cannot resolve symbolic links; name their targets instead."
                case .writing(let options) where options.contains(.forReplacing):
                    return "A preparation cannot be for replacing; use that option for the coordinated write within it."
                default: continue
                }
            }
        }
        // A provider that serves a change shares the purpose of its claim, but is not the same coordinator.
        guard claim.isWriting, !claim.prepares, !claim.hasProviderPurpose else { return nil }
        for outer in claim.within.lazy.compactMap({ claims[$0] }) where outer.isHeld && !outer.claim.prepares {
            if outer.claim.purpose == claim.purpose, outer.claim.accesses.count == 1, outer.claim.isWriting {
                return "Within a coordinated write of one item, the same coordinator may only read; "
                    + "ask for both items in one call."
            }
        }
        return nil
    }

    /// The claims that a new one goes ahead of, together with all that wait for them, unless they are held.
    private func heads(passedBy claim: Claim) -> Set<Claim.Identifier> {
        var heads = Set(claim.within.filter { claims[$0]?.isHeld == true })
        for other in claims.claims(purpose: claim.purpose) where claims[other]?.isHeld == true { heads.insert(other) }
        if claim.hasProviderPurpose, let other = claim.during { heads.insert(other) }
        var asked = Set(claim.answering.compactMap { presenters.addressees[$0] })
        if let presenter = claim.presenter { asked.insert(presenter) }
        for presenter in asked {
            for question in presenters[presenter]?.questions ?? [] {
                if case .claim(let asker) = question.origin, claims[asker]?.isHeld == false { heads.insert(asker) }
            }
        }
        return heads
    }

    /// Continues with those of the claims whose turn has come.
    mutating func promote(_ ids: some Sequence<Claim.Identifier>) {
        for id in claims.inOrder(ids.filter(claims.isNext)) {
            guard claims.isNext(id), let node = claims[id] else { continue }
            if node.isAsked { proceed(id) } else { ask(id) }
        }
    }

    /// Asks all presenters concerned: all of them at the same time, and each one question after another.
    private mutating func ask(_ id: Claim.Identifier) {
        guard let claim = claims[id]?.claim else { return }
        let preparations = claim.within.compactMap { claims[$0] }.filter { $0.claim.prepares && $0.isHeld }
        var steps: [Presenter.Identifier: ArraySlice<PlannedMessage>] = [:]
        for (presenter, questions) in concerned(by: claim) {
            let told = preparations.reduce(into: Set<PresenterMessage.Kind>()) {
                $0.formUnion($1.told[presenter] ?? [])
            }
            let open = questions.filter { !MessagePlan.isCovered($0.kind, by: told) }
            if !open.isEmpty { steps[presenter] = open[...] }
        }
        claims.update(id) {
            $0.stage = .asking
            $0.steps = steps
            if claim.prepares { $0.told = steps.mapValues { Set($0.map(\.kind)) } }
        }
        if steps.isEmpty { return finishAsking(id) }
        for presenter in steps.keys.sorted() { askNext(presenter, for: id) }
    }

    /// The presenters that a claim has to ask, with the questions.
    mutating func concerned(by claim: Claim) -> [Presenter.Identifier: [PlannedMessage]] {
        var candidates: Set<Presenter.Identifier> = []
        for access in claim.accesses {
            candidates.formUnion(presenters.presenters(of: [access.location.item] + access.location.packages))
            if access.concernsContents || claim.prepares {
                candidates.formUnion(presenters.presenters(inside: access.location.item))
            }
        }
        var result: [Presenter.Identifier: [PlannedMessage]] = [:]
        for candidate in candidates where candidate != claim.presenter {
            guard let location = presenters[candidate]?.presenter.location else { continue }
            let questions = MessagePlan.questions(for: claim, to: location)
            if !questions.isEmpty { result[candidate] = questions }
        }
        return result
    }

    /// Asks a presenter the next question for a claim, or records that it has answered all of them.
    mutating func askNext(_ presenter: Presenter.Identifier, for id: Claim.Identifier) {
        guard claims[id]?.stage == .asking else { return }
        if let message = claims[id]?.steps[presenter]?.first,
            let sent = send(message, to: presenter, origin: .claim(id))
        {
            claims.update(id) {
                $0.steps[presenter]?.removeFirst()
                $0.pending[presenter] = sent
            }
            suspects.append(id)
        } else {
            claims.update(id) { $0.steps[presenter] = nil }
            if claims[id]?.steps.isEmpty == true { finishAsking(id) }
        }
    }

    private mutating func finishAsking(_ id: Claim.Identifier) {
        claims.update(id) { $0.isAsked = true }
        proceed(id)
    }

    /// Continues with a claim whose presenters have answered. Other claims may have gone ahead of it meanwhile.
    private mutating func proceed(_ id: Claim.Identifier) {
        guard let node = claims[id] else { return }
        if !node.blockers.isEmpty {
            claims.update(id) { $0.stage = .waiting }
            suspects.append(id)
        } else if node.claim.needsProvider, !node.isProvided {
            claims.update(id) { $0.stage = .providing }
            suspects.append(id)
            effects.append(.provide(id))
        } else {
            claims.update(id) { $0.stage = .held }
            effects.append(.granted(id))
        }
    }

    mutating func provided(_ id: Claim.Identifier) {
        guard claims[id]?.stage == .providing else { return }
        claims.update(id) { $0.isProvided = true }
        proceed(id)
    }

    mutating func release(_ id: Claim.Identifier, _ outcome: AccessOutcome) {
        guard let node = claims[id], node.isHeld else { return }
        for access in node.claim.accesses {
            if outcome.changed.contains(access.location.item) {
                change(access.location, .content, by: .claim(id))
            }
            if outcome.deleted.contains(access.location.item) {
                change(access.location, .deleted, by: .claim(id))
            }
        }
        promote(detach(id))
    }

    /// Ends a claim that is not held.
    mutating func fail(_ id: Claim.Identifier, _ failure: CoordinationFailure, withdraws: Bool = true) {
        guard let node = claims[id], !node.isHeld else { return }
        effects.append(.failed(id, failure))
        if node.stage == .providing && withdraws { effects.append(.withdrawProvide(id)) }
        promote(detach(id))
    }

    /// Removes a claim. Presenters are notified of what happened; then those that relinquished the item reacquire it.
    /// Questions that were sent are not recalled; a presenter that relinquishes later is asked to reacquire when it
    /// answers.
    ///
    /// - Returns: the claims that waited for it.
    mutating func detach(_ id: Claim.Identifier) -> Set<Claim.Identifier> {
        guard let node = claims.remove(id) else { return [] }
        for (presenter, message) in node.pending where presenters[presenter]?.unanswered?.id != message {
            presenters.withdraw(message, from: presenter)
        }
        var said: Set<ClaimNode.News> = []
        let news = node.news.enumerated().sorted {
            ($0.element.message.rank, $0.offset) < ($1.element.message.rank, $1.offset)
        }
        for (_, item) in news where said.insert(item).inserted {
            send(item.message, to: item.presenter, origin: .claim(id))
        }
        for (presenter, message) in node.relinquished.sorted(by: { $0.key < $1.key }) {
            reacquire(presenter, after: message, for: id)
        }
        return node.dependents
    }

    /// Asks a presenter to reacquire what it relinquished for a message.
    ///
    /// - Parameter isNext: whether this goes before other unsent messages, because the claim ended before the presenter
    ///   relinquished the item.
    mutating func reacquire(
        _ presenter: Presenter.Identifier, after message: PresenterMessage.Identifier, for id: Claim.Identifier?,
        isNext: Bool = false
    ) {
        guard let location = presenters[presenter]?.presenter.location else { return }
        send(
            PlannedMessage(.reacquire(relinquish: message), location.item), to: presenter,
            origin: id.map { .claim($0) } ?? .outside, isNext: isNext)
    }
}
