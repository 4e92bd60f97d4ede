import Coordination

/// Watches how a state handles events, and checks them against the rules in their plainest form.
struct Referee {
    private(set) var state = CoordinationState()
    /// The violations, in sentences.
    private(set) var complaints: [String] = []
    /// Whether items were moved; then the order of arrival alone does not decide.
    private(set) var isAnythingMoved = false

    private(set) var requested: [Claim.Identifier: Claim] = [:]
    private var order: [Claim.Identifier: Int] = [:]
    private(set) var held: Set<Claim.Identifier> = []
    private(set) var providing: Set<Claim.Identifier> = []
    private var ended: Set<Claim.Identifier> = []
    /// Held claims that conflict only because something was moved.
    private var excused: Set<Set<Claim.Identifier>> = []

    private(set) var presenters: [Presenter.Identifier: Presenter] = [:]
    private(set) var messages: [PresenterMessage.Identifier: PresenterMessage] = [:]
    /// Questions that presenters are handling, and those whose time has passed.
    private(set) var open: Set<PresenterMessage.Identifier> = []
    private(set) var late: Set<PresenterMessage.Identifier> = []
    /// Presenters that relinquished and have not been asked to reacquire yet, by message.
    private var owed: Set<PresenterMessage.Identifier> = []
    private(set) var deadlocks = 0
    private var events = 0
    private(set) var grants = 0

    /// Claims that are neither held nor ended.
    var waiting: [Claim.Identifier] { requested.keys.filter { !held.contains($0) && !ended.contains($0) } }

    mutating func handle(_ event: CoordinationEvent) {
        before(event)
        for effect in state.handle(event) { note(effect) }
        after(event)
    }

    /// Takes the fast path and compares it with the ordinary one.
    mutating func request(_ claim: Claim) {
        var quick = state
        let isQuick = quick.grantAtOnce(claim, isProvided: true)
        var slow = state
        var effects = slow.handle(.requested(claim))
        if effects == [.provide(claim.id)] { effects = slow.handle(.provided(claim.id)) }
        if isQuick {
            expect(effects == [.granted(claim.id)], "granted at once, but the ordinary path says \(effects)")
            expect(quick.ledger == slow.ledger, "the fast path ends in another state")
        } else {
            expect(
                quick.visits >= state.visits && quick.claims(of: claim.owner) == state.claims(of: claim.owner),
                "the fast path left something behind")
            expect(
                effects != [.granted(claim.id)] || !claim.within.isEmpty || claim.prepares
                    || !state.ledger.claims.allSatisfy { !clash($0.claim, claim) },
                "not granted at once, although nothing prevents it")
        }
        handle(.requested(claim))
    }

    // MARK: Events

    private mutating func before(_ event: CoordinationEvent) {
        switch event {
        case .requested(let claim):
            requested[claim.id] = claim
            order[claim.id] = order.count
        case .released(let id, _):
            held.remove(id)
            ended.insert(id)
        case .presenterAdded(let presenter): presenters[presenter.id] = presenter
        case .presenterRemoved(let id): forget([id])
        case .ownerGone(let owner):
            forget(presenters.values.filter { $0.owner == owner }.map(\.id))
            for id in held where requested[id]?.owner == owner {
                held.remove(id)
                ended.insert(id)
            }
        case .answered(let id, _):
            let isOpen = open.remove(id) != nil || late.remove(id) != nil
            if isOpen, messages[id]?.kind.isRelinquish == true { owed.insert(id) }
        case .deadlinePassed(let id): if open.remove(id) != nil { late.insert(id) }
        case .provided(let id), .provideFailed(let id, _): providing.remove(id)
        case .moved, .appeared, .located: isAnythingMoved = true
        case .cancelled, .changed: break
        }
    }

    private mutating func forget(_ ids: [Presenter.Identifier]) {
        for id in ids {
            presenters[id] = nil
            for message in messages.values where message.presenter == id {
                open.remove(message.id)
                late.remove(message.id)
                owed.remove(message.id)
            }
        }
    }

    private mutating func note(_ effect: CoordinationEffect) {
        switch effect {
        case .send(let message): noteSent(message)
        case .provide(let id):
            expect(!held.contains(id) && !ended.contains(id), "\(id) is provided although it is held or has ended")
            expect(providing.insert(id).inserted, "\(id) is provided twice")
        case .granted(let id):
            expect(requested[id] != nil && !ended.contains(id) && !held.contains(id), "\(id) was granted wrongly")
            noteGranted(id)
        case .failed(let id, let failure):
            expect(requested[id] != nil && !held.contains(id), "\(id) failed although it is held")
            expect(ended.insert(id).inserted, "\(id) ended twice")
            providing.remove(id)
            if case .deadlock(let cycle) = failure {
                deadlocks += 1
                expect(cycle.first == .claim(id) && cycle.last == .claim(id), "not a cycle: \(cycle)")
                expect(Set(cycle).count == cycle.count - 1 && cycle.count > 2, "not a simple cycle: \(cycle)")
            }
        case .withdrawProvide(let id): expect(ended.contains(id), "\(id) continues without the withdrawn content")
        }
    }

    private mutating func noteGranted(_ id: Claim.Identifier) {
        grants += 1
        providing.remove(id)
        guard let claim = state.claim(id) else { return }
        for other in held {
            if let rival = state.claim(other), clash(claim, rival) {
                expect(false, "\(id) and \(other) are held at once")
            }
        }
        held.insert(id)
        let isOrdinary =
            claim.within.isEmpty && claim.answering.isEmpty && claim.presenter == nil && !claim.hasProviderPurpose
            && claim.purpose.hasPrefix("own")
        if isOrdinary && !isAnythingMoved {
            for other in waiting where (order[other] ?? 0) < (order[id] ?? 0) {
                if let rival = state.claim(other), clash(claim, rival) {
                    expect(false, "\(id) overtook \(other)")
                }
            }
        }
    }

    private mutating func noteSent(_ message: PresenterMessage) {
        let id = message.presenter
        expect(presenters[id] != nil, "\(message) is sent to no presenter")
        expect(messages.updateValue(message, forKey: message.id) == nil, "\(message) was sent twice")
        expect(open.allSatisfy { messages[$0]?.presenter != id }, "\(message) did not wait for the previous answer")
        if message.needsAnswer {
            open.insert(message.id)
            if case .claim(let asker) = message.origin, let claim = requested[asker] {
                expect(claim.presenter != id, "\(message) goes to the presenter of the claim")
                expect(!held.contains(asker) && !ended.contains(asker), "\(message) is too late")
                if !message.kind.isRelinquish, claim.within.isEmpty {
                    expect(
                        messages.values.contains {
                            $0.presenter == id && $0.origin == message.origin && $0.kind.isRelinquish
                        }, "\(message) was sent before a relinquish message")
                }
            }
        }
        if case .reacquire(let relinquish) = message.kind {
            expect(owed.remove(relinquish) != nil, "\(message) was sent without a relinquish message, or twice")
            expect(messages[relinquish]?.presenter == id, "\(message) goes to the wrong presenter")
        }
    }

    private mutating func after(_ event: CoordinationEvent) {
        if case .moved = event {
            for id in held { for other in held where id < other { excuse(id, other) } }
        }
        // Looking at everything takes long, so it is done now and then.
        events += 1
        guard events % 4 == 0 else { return }
        let ledger = state.ledger
        expect(Set(ledger.claims.map(\.claim.id)) == held.union(waiting), "claims are lost after \(event)")
        for entry in ledger.claims {
            let id = entry.claim.id
            expect((entry.stage == .held) == held.contains(id), "\(id) has the wrong stage")
            expect((entry.stage == .providing) == providing.contains(id), "\(id) has the wrong stage")
            expect(entry.waitsFor.isEmpty == (entry.stage == .held), "\(id) waits for \(entry.waitsFor)")
            for case .claim(let other) in entry.waitsFor {
                guard let rival = state.claim(other) else {
                    expect(false, "\(id) waits for \(other), which has ended")
                    continue
                }
                expect(clash(entry.claim, rival), "\(id) waits for \(other) without a reason")
            }
        }
    }

    private mutating func excuse(_ id: Claim.Identifier, _ other: Claim.Identifier) { excused.insert([id, other]) }

    /// The conditions when all clients have finished.
    mutating func expectRest() {
        let rest = state.ledger.claims
        expect(rest.isEmpty, "these were never served: \(rest.map { ($0.claim.id, $0.waitsFor) })")
        expect(Set(requested.keys) == ended, "some claims have not ended")
        let forgotten = owed
        expect(forgotten.isEmpty, "these were never asked to reacquire: \(forgotten)")
    }

    private mutating func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { complaints.append(sentence()) }
    }

    /// The table of 2.3, plainly.
    private func clash(_ first: Claim, _ second: Claim) -> Bool {
        if first.purpose == second.purpose || first.prepares || second.prepares { return false }
        if excused.contains([first.id, second.id]) && held.contains(first.id) && held.contains(second.id) {
            return false
        }
        for one in first.accesses {
            for two in second.accesses {
                let top = (
                    one.location.packages.last ?? one.location.item, two.location.packages.last ?? two.location.item
                )
                if top.0 == top.1, one.isWriting || two.isWriting { return true }
                for (sweeper, inner) in [(one, two), (two, one)] {
                    guard case .writing(let options) = sweeper.intent, [1, 2, 8].contains(options.rawValue) else {
                        continue
                    }
                    if inner.location.folders.contains(sweeper.location.item) { return true }
                }
            }
        }
        return false
    }
}
