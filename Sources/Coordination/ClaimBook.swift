/// The open claims, found by whatever one looks for. Nothing here goes through all claims.
struct ClaimBook: Sendable {
    struct Thread: Hashable, Sendable {
        let owner: Claim.Owner
        let name: String
    }

    private(set) var nodes: [Claim.Identifier: ClaimNode] = [:]
    /// Claims that read, or write, something of a unit (2.3).
    private var readers = ClaimLine()
    private var writers = ClaimLine()
    /// Claims of something anywhere in a folder, and those that write a folder with all that is in it.
    private var inside = ClaimLine()
    private var sweepers = ClaimLine()
    private var items = Multimap<ItemKey, Claim.Identifier>()
    private var owners = Multimap<Claim.Owner, Claim.Identifier>()
    private var purposes = Multimap<String, Claim.Identifier>()
    private var nested = Multimap<Claim.Identifier, Claim.Identifier>()
    private var answering = Multimap<PresenterMessage.Identifier, Claim.Identifier>()
    private var during = Multimap<Claim.Identifier, Claim.Identifier>()
    private var threads = Multimap<Thread, Claim.Identifier>()
    /// How many entries have been looked at or changed since the beginning: the cost, for tests.
    private(set) var visits = 0

    var isEmpty: Bool { nodes.isEmpty }

    subscript(id: Claim.Identifier) -> ClaimNode? { nodes[id] }

    /// Changes what has come of a claim; not its accesses (see `relocate`). Nothing happens for one that is not open.
    mutating func update(_ id: Claim.Identifier, _ change: (inout ClaimNode) -> Void) {
        visits += 1
        if let index = nodes.index(forKey: id) { change(&nodes.values[index]) }
    }

    /// Adds a claim.
    ///
    /// - Parameter blockers: those that it waits for: at least the nearest that it conflicts with.
    mutating func insert(_ node: ClaimNode, behind blockers: Set<Claim.Identifier> = []) {
        let claim = node.claim
        nodes[claim.id] = node
        index(claim, adding: true)
        owners.insert(claim.id, for: claim.owner)
        purposes.insert(claim.id, for: claim.purpose)
        for other in claim.within { nested.insert(claim.id, for: other) }
        for message in claim.answering { answering.insert(claim.id, for: message) }
        if let other = claim.during { during.insert(claim.id, for: other) }
        if let thread = claim.blockedThread { threads.insert(claim.id, for: Thread(owner: claim.owner, name: thread)) }
        guard !blockers.isEmpty else { return }
        for other in blockers { block(claim.id, by: other) }
        lines(of: claim) { line, key in line.cover(blockers, for: key) }
    }

    /// Takes a claim out; those that waited for it wait for what it waited for, where they conflict with that.
    mutating func remove(_ id: Claim.Identifier) -> ClaimNode? {
        guard let node = nodes[id] else { return nil }
        let claim = node.claim
        for dependent in node.dependents where !node.blockers.isEmpty {
            guard let waiting = nodes[dependent]?.claim else { continue }
            for blocker in nearest(from: node.blockers, inTheWayOf: waiting) { block(dependent, by: blocker) }
        }
        for blocker in node.blockers { unblock(id, by: blocker) }
        for dependent in node.dependents { unblock(dependent, by: id) }
        nodes[id] = nil
        index(claim, adding: false)
        if !node.blockers.isEmpty { lines(of: claim) { line, key in line.uncover(node.blockers, for: key) } }
        owners.remove(id, for: claim.owner)
        purposes.remove(id, for: claim.purpose)
        for other in claim.within { nested.remove(id, for: other) }
        for message in claim.answering { answering.remove(id, for: message) }
        if let other = claim.during { during.remove(id, for: other) }
        if let thread = claim.blockedThread { threads.remove(id, for: Thread(owner: claim.owner, name: thread)) }
        return node
    }

    /// Gives the items of a claim other locations. Who waits for whom by them is to be settled anew.
    mutating func relocate(_ id: Claim.Identifier, _ newLocation: (ItemAccess) -> ItemLocation) {
        guard var claim = nodes[id]?.claim else { return }
        index(claim, adding: false)
        lines(of: claim) { line, key in line.uncoverAll(key) }
        for index in claim.accesses.indices { claim.accesses[index].location = newLocation(claim.accesses[index]) }
        nodes[id]?.claim = claim
        index(claim, adding: true)
    }

    private mutating func index(_ claim: Claim, adding: Bool) {
        func change(_ line: inout ClaimLine, _ key: ItemKey) {
            visits += 1
            if adding { line.insert(claim.id, for: key) } else { line.remove(claim.id, for: key) }
        }
        for access in claim.accesses {
            let location = access.location
            visits += 1
            if adding { items.insert(claim.id, for: location.item) } else { items.remove(claim.id, for: location.item) }
            for folder in location.folders { change(&inside, folder) }
            guard !claim.prepares else { continue }
            if access.isWriting { change(&writers, location.unit) } else { change(&readers, location.unit) }
            if access.concernsContents { change(&sweepers, location.item) }
        }
    }

    /// The lines in which a claim hides those that it waits for: whoever looks there finds the claim as well.
    private mutating func lines(of claim: Claim, _ body: (inout ClaimLine, ItemKey) -> Void) {
        guard !claim.prepares else { return }
        for access in claim.accesses where access.isWriting {
            body(&writers, access.location.unit)
            body(&readers, access.location.unit)
            guard access.concernsContents else { continue }
            body(&sweepers, access.location.item)
            body(&inside, access.location.item)
        }
    }

    /// The open claims that may not be held at the same time as this one.
    mutating func conflicts(with claim: Claim) -> Set<Claim.Identifier> {
        let found = candidates(for: claim) { line, key in line[key] }
        return found.filter { candidate in
            candidate != claim.id && nodes[candidate].map { $0.claim.conflicts(with: claim) } ?? false
        }
    }

    /// Of the open claims that may not be held at the same time as a new one, so many that the others end before one of
    /// these. Empty only if there are none.
    mutating func nearestConflicts(with claim: Claim) -> Set<Claim.Identifier> {
        nearest(from: candidates(for: claim) { line, key in line.ends(key) }, inTheWayOf: claim)
    }

    private mutating func candidates(
        for claim: Claim, _ look: (ClaimLine, ItemKey) -> Set<Claim.Identifier>
    ) -> Set<Claim.Identifier> {
        guard !claim.prepares else { return [] }
        var result: Set<Claim.Identifier> = []
        for access in claim.accesses {
            result.formUnion(look(writers, access.location.unit))
            if access.isWriting { result.formUnion(look(readers, access.location.unit)) }
            for folder in access.location.folders { result.formUnion(look(sweepers, folder)) }
            if access.concernsContents { result.formUnion(look(inside, access.location.item)) }
            visits += access.location.folders.count + 1
        }
        visits += result.count
        return result
    }

    /// The first claims in conflict with this one on each way of waits from those.
    private mutating func nearest(
        from heads: Set<Claim.Identifier>, inTheWayOf claim: Claim
    ) -> Set<Claim.Identifier> {
        var result: Set<Claim.Identifier> = []
        var seen = heads
        var rest = Array(heads)
        while let next = rest.popLast() {
            guard next != claim.id, let node = nodes[next] else { continue }
            visits += 1
            if node.claim.conflicts(with: claim) {
                result.insert(next)
            } else {
                for blocker in node.blockers where seen.insert(blocker).inserted { rest.append(blocker) }
            }
        }
        return result
    }

    /// All claims that have to end first because they conflict with this one.
    func blockers(of node: ClaimNode) -> Set<Claim.Identifier> {
        var seen = node.blockers
        var rest = Array(seen)
        while let next = rest.popLast() {
            for blocker in nodes[next]?.blockers ?? [] where seen.insert(blocker).inserted { rest.append(blocker) }
        }
        return seen.filter { other in
            node.blockers.contains(other) || nodes[other].map { $0.claim.conflicts(with: node.claim) } ?? false
        }
    }

    /// Makes these claims, and all that wait for them, wait directly for all that they conflict with.
    mutating func spellOut(_ ids: some Sequence<Claim.Identifier>) {
        for id in queue(behind: Set(ids)) {
            guard let node = nodes[id], !node.blockers.isEmpty else { continue }
            for blocker in blockers(of: node).subtracting(node.blockers) { block(id, by: blocker) }
        }
    }

    /// Whether the second claim has to end before the first, directly or through others.
    mutating func waits(_ id: Claim.Identifier, for other: Claim.Identifier) -> Bool {
        var seen: Set<Claim.Identifier> = []
        var rest = [id]
        while let next = rest.popLast() {
            for blocker in nodes[next]?.blockers ?? [] where seen.insert(blocker).inserted {
                visits += 1
                if blocker == other { return true }
                rest.append(blocker)
            }
        }
        return false
    }

    /// These claims and all that wait for them, directly or through others.
    mutating func queue(behind heads: Set<Claim.Identifier>) -> Set<Claim.Identifier> {
        var result = heads
        var rest = Array(heads)
        while let next = rest.popLast() {
            for dependent in nodes[next]?.dependents ?? [] where result.insert(dependent).inserted {
                visits += 1
                rest.append(dependent)
            }
        }
        return result
    }

    /// Makes a claim wait for the end of another one.
    mutating func block(_ id: Claim.Identifier, by other: Claim.Identifier) {
        nodes[id]?.blockers.insert(other)
        nodes[other]?.dependents.insert(id)
        visits += 1
    }

    mutating func unblock(_ id: Claim.Identifier, by other: Claim.Identifier) {
        nodes[id]?.blockers.remove(other)
        nodes[other]?.dependents.remove(id)
        visits += 1
    }

    /// Whether the turn of a claim that waits has come.
    func isNext(_ id: Claim.Identifier) -> Bool {
        guard let index = nodes.index(forKey: id) else { return false }
        return nodes.values[index].stage == .waiting && nodes.values[index].blockers.isEmpty
    }

    /// In the order of arrival.
    func inOrder(_ claims: some Sequence<Claim.Identifier>) -> [Claim.Identifier] {
        claims.map { (order: nodes[$0]?.order ?? 0, id: $0) }.sorted { ($0.order, $0.id) < ($1.order, $1.id) }.map(\.id)
    }

    func claims(of owner: Claim.Owner) -> [Claim.Identifier] { inOrder(owners[owner]) }
    func claims(purpose: String) -> Set<Claim.Identifier> { purposes[purpose] }
    func claims(within other: Claim.Identifier) -> [Claim.Identifier] { inOrder(nested[other]) }
    func claims(answering message: PresenterMessage.Identifier) -> [Claim.Identifier] { inOrder(answering[message]) }
    func claims(during other: Claim.Identifier) -> [Claim.Identifier] { inOrder(during[other]) }
    func claims(blocking name: String, of owner: Claim.Owner) -> [Claim.Identifier] {
        inOrder(threads[Thread(owner: owner, name: name)])
    }
    /// Claims of the item or, if it is a folder, of anything in it.
    func claims(at item: ItemKey) -> [Claim.Identifier] { inOrder(items[item].union(inside[item])) }
}
