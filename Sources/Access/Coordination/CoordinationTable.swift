import Coordination
import DocentInterfaces
import FoundationEssentials
import HostCore
import Rights

/// The coordination engine, with what the host keeps beside it. The service guards this value with its lock. Mutations
/// return the actions to carry out after the lock is released. Messages go into the presenters' mailboxes under the
/// lock, so each presenter receives them in order.
struct CoordinationTable: Sendable {
    /// An action to take after the lock is released.
    enum Action: Sendable {
        case settle(ClaimWait, Result<Void, Failure>)
        case provide(Claim.Identifier)
        case cancel(Task<Void, Never>)
        case startDeadline(PresenterMessage.Identifier)
        case look([ItemKey])
    }

    /// The maximum number of claims, and of presenters, per principal (T4).
    static let limit = 1024

    var engine = CoordinationState()
    private(set) var claims: [Claim.Identifier: ClaimEntry] = [:]
    private(set) var claimNames: [OwnedName: Claim.Identifier] = [:]
    private(set) var claimCounts: [Principal: Int] = [:]
    private(set) var presenters: [Presenter.Identifier: PresenterEntry] = [:]
    private(set) var presenterNames: [OwnedName: Presenter.Identifier] = [:]
    private(set) var presenterCounts: [Principal: Int] = [:]
    private(set) var asked: [PresenterMessage.Identifier: AskedMessage] = [:]
    /// The versions last reported to presenters.
    var told: [CoordinatedItem: String] = [:]
    /// Items that were reported to presenters as deleted.
    var gone: Set<CoordinatedItem> = []
    /// The number of held writing claims per unit.
    private var writing: [CoordinatedItem: Int] = [:]
    /// The units among them that do not exist yet.
    private var making: Set<CoordinatedItem> = []
    private var postponed: [CoordinatedItem: Set<ItemKey>] = [:]
    /// The cause of the messages being sent, if no claim is their cause.
    private var speaker: Wire.Cause?
    private var last: UInt64 = 0
    private let deadline: Double
    private let words: CoordinationWords

    init(deadline: Double, words: CoordinationWords) {
        self.deadline = deadline
        self.words = words
    }

    mutating func nextNumber() -> UInt64 {
        last += 1
        return last
    }

    // MARK: Claims

    /// Adds a claim before the engine handles it.
    ///
    /// - Throws: ``Failure`` for a name that is in use, and above the limit (T4).
    mutating func add(_ claim: Claim, _ entry: ClaimEntry) throws(Failure) {
        try admit(entry)
        insert(claim, entry)
    }

    /// Inserts a claim that was admitted.
    mutating func insert(_ claim: Claim, _ entry: ClaimEntry) {
        if let name = entry.operation { claimNames[OwnedName(owner: claim.owner, name: name)] = claim.id }
        if let principal = entry.principal { claimCounts[principal, default: 0] += 1 }
        claims[claim.id] = entry
        if entry.isHeld { noteWriting(entry) }
    }

    func admit(_ entry: ClaimEntry) throws(Failure) {
        if let name = entry.operation, claimNames[OwnedName(owner: entry.party.owner, name: name)] != nil {
            throw Failure(
                .invalidArgument, "There is already a claim \(name).", suggestion: "Give each claim a name of its own.")
        }
        if let principal = entry.principal, claimCounts[principal, default: 0] >= Self.limit {
            throw Failure(
                .unavailable, "\(principal.identifier) already has \(Self.limit) claims.",
                suggestion: "Release some of them; `docent claims` lists them.")
        }
    }

    private mutating func noteHeld(_ id: Claim.Identifier) {
        change(id) { entry in
            entry.isHeld = true
            entry.since = .now
            entry.isProviding = false
        }
        if let entry = claims[id] { noteWriting(entry) }
    }

    private mutating func noteWriting(_ entry: ClaimEntry) {
        for access in entry.accesses where access.isWriting {
            let unit = access.location.unit
            writing[unit, default: 0] += 1
            if unit.isAbsent { making.insert(unit) }
        }
    }

    /// Removes the entry of a claim that has ended.
    private mutating func forget(_ id: Claim.Identifier, _ actions: inout [Action]) {
        guard let entry = claims.removeValue(forKey: id) else { return }
        if let name = entry.operation { claimNames[OwnedName(owner: entry.party.owner, name: name)] = nil }
        if let principal = entry.principal {
            let left = claimCounts[principal, default: 1] - 1
            claimCounts[principal] = left > 0 ? left : nil
        }
        if let provision = entry.provision { actions.append(.cancel(provision)) }
        guard entry.isHeld else { return }
        for access in entry.accesses where access.isWriting {
            let unit = access.location.unit
            let left = writing[unit, default: 1] - 1
            writing[unit] = left > 0 ? left : nil
            if left <= 0 { making.remove(unit) }
            if left <= 0, let keys = postponed.removeValue(forKey: unit) { actions.append(.look(Array(keys))) }
        }
    }

    @discardableResult
    mutating func change<Result>(_ id: Claim.Identifier, _ body: (inout ClaimEntry) -> Result) -> Result? {
        guard let index = claims.index(forKey: id) else { return nil }
        return body(&claims.values[index])
    }

    /// Releases a held claim and notifies presenters of its changes. Does nothing for any other claim.
    mutating func release(_ id: Claim.Identifier) -> [Action] {
        guard let entry = claims[id], entry.isHeld else { return [] }
        var actions = handle(.released(id, entry.outcome))
        forget(id, &actions)
        return actions
    }

    /// Postpones news of an item until a writer ends that may be its cause.
    ///
    /// - Returns: false if there is no such writer.
    mutating func postpones(_ key: ItemKey, at location: ItemLocation?) -> Bool {
        var unit = location?.unit ?? key.coordinated
        if writing[unit] == nil {
            // A new item may be the one that a writer is just creating.
            guard told[key.coordinated] == nil,
                let made = making.first(where: { $0.provider == key.provider && $0.domain == key.domain })
            else { return false }
            unit = made
        }
        postponed[unit, default: []].insert(key)
        return true
    }

    // MARK: Presenters

    mutating func add(_ presenter: Presenter, _ entry: PresenterEntry) throws(Failure) -> [Action] {
        guard presenterCounts[entry.principal, default: 0] < Self.limit else {
            throw Failure(
                .unavailable, "\(entry.principal.identifier) already has \(Self.limit) presenters.",
                suggestion: "End some of them; `docent claims` lists them.")
        }
        presenterCounts[entry.principal, default: 0] += 1
        presenters[presenter.id] = entry
        presenterNames[OwnedName(owner: presenter.owner, name: entry.name)] = presenter.id
        return handle(.presenterAdded(presenter))
    }

    /// Removes a presenter. Does nothing if it is unknown.
    mutating func remove(_ id: Presenter.Identifier) -> [Action] {
        guard presenters[id] != nil else { return [] }
        var actions = handle(.presenterRemoved(id))
        forget(id, &actions)
        return actions
    }

    private mutating func forget(_ id: Presenter.Identifier, _ actions: inout [Action]) {
        guard let entry = presenters.removeValue(forKey: id) else { return }
        let name = OwnedName(owner: entry.party.owner, name: entry.name)
        if presenterNames[name] == id { presenterNames[name] = nil }
        let left = presenterCounts[entry.principal, default: 1] - 1
        presenterCounts[entry.principal] = left > 0 ? left : nil
        for (message, waiting) in asked where waiting.presenter == id {
            asked[message] = nil
            if let timer = waiting.timer { actions.append(.cancel(timer)) }
        }
        entry.mailbox.end()
        if presenters.isEmpty { (told, gone) = ([:], []) }
    }

    /// Ends all claims and presenters of an owner that has gone.
    mutating func end(_ owner: Claim.Owner) -> [Action] {
        var actions = handle(.ownerGone(owner))
        for (id, entry) in claims where entry.party.owner == owner {
            entry.wait?.settle(.failure(Failure(.cancelled, "The session has ended.")))
            forget(id, &actions)
        }
        for (id, entry) in presenters where entry.party.owner == owner { forget(id, &actions) }
        return actions
    }

    // MARK: Messages

    /// Handles the answer to a message, or the end of its deadline.
    mutating func answer(_ id: PresenterMessage.Identifier, _ event: CoordinationEvent) -> [Action] {
        guard let waiting = asked.removeValue(forKey: id) else { return [] }
        var actions = handle(event)
        if let timer = waiting.timer { actions.append(.cancel(timer)) }
        return actions
    }

    mutating func setTimer(_ timer: Task<Void, Never>, of id: PresenterMessage.Identifier) -> Bool {
        guard asked[id] != nil else { return false }
        asked[id]?.timer = timer
        return true
    }

    // MARK: The engine

    /// Passes an event to the engine.
    mutating func handle(_ event: CoordinationEvent) -> [Action] {
        var actions: [Action] = []
        for effect in engine.handle(event) { carryOut(effect, &actions) }
        return actions
    }

    /// Handles events that a client caused without a claim.
    mutating func speaking(
        for cause: Wire.Cause, _ body: (inout CoordinationTable) -> [Action]
    ) -> [Action] {
        speaker = cause
        defer { speaker = nil }
        return body(&self)
    }

    private mutating func carryOut(_ effect: CoordinationEffect, _ actions: inout [Action]) {
        switch effect {
        case .send(let message): send(message, &actions)
        case .provide(let id):
            claims[id]?.isProviding = true
            claims[id]?.since = .now
            actions.append(.provide(id))
        case .granted(let id):
            noteHeld(id)
            if let wait = claims[id]?.wait { actions.append(.settle(wait, .success(()))) }
        case .failed(let id, let reason):
            let failure = claims[id]?.failure ?? words.failure(reason, of: id, self)
            if let wait = claims[id]?.wait { actions.append(.settle(wait, .failure(failure))) }
            forget(id, &actions)
        case .withdrawProvide(let id):
            if let provision = claims[id]?.provision { actions.append(.cancel(provision)) }
        }
    }

    private mutating func send(_ message: PresenterMessage, _ actions: inout [Action]) {
        guard let entry = presenters[message.presenter] else { return }
        if message.kind.isMove, message.subject == entry.item, case .didMove(let to) = message.kind {
            presenters[message.presenter]?.item = to
        }
        var isImplicit = false
        var cause: Wire.Cause?
        var isUncoordinated: Bool?
        switch message.origin {
        case .claim(let id):
            isImplicit = claims[id]?.isImplicit ?? false
            cause = claims[id]?.cause
        case .outside:
            cause = speaker
            isUncoordinated = speaker == nil ? true : nil
        case .provider:
            isUncoordinated = true
            cause = Wire.Cause(kind: "provider", client: message.subject.provider)
        }
        var wire = PresenterMailbox.Message(
            kind: message.kind.name, subject: message.subject.isAbsent ? nil : message.subject.item.reference,
            cause: cause, uncoordinated: isUncoordinated)
        wire.newReference = message.kind.destination?.item.reference
        wire.version = message.kind.version ?? told[message.subject]
        if case .reacquire(let relinquish) = message.kind { wire.message = String(relinquish.rawValue) }
        if message.needsAnswer {
            wire.message = String(message.id.rawValue)
            wire.deadline = deadline
            asked[message.id] = AskedMessage(
                presenter: message.presenter, kind: message.kind.name, isImplicit: isImplicit)
            actions.append(.startDeadline(message.id))
        }
        entry.mailbox.put(wire)
    }

    /// Whether there are no claims and no presenters.
    var isEmpty: Bool { claims.isEmpty && presenters.isEmpty }
}
