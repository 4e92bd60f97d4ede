/// The open claims, with an index for every kind of lookup. Nothing here iterates over all claims.
struct ClaimBook: Sendable {
    struct Thread: Hashable, Sendable {
        let owner: Claim.Owner
        let name: String
    }

    private(set) var nodes: [Claim.Identifier: ClaimNode] = [:]
    /// The claims that read, or write, something of a unit.
    private var readers = ClaimLine()
    private var writers = ClaimLine()
    /// The claims on anything inside a folder, and those that write a folder with everything in it.
    private var inside = ClaimLine()
    private var sweepers = ClaimLine()
    private var items = Multimap<CoordinatedItem, Claim.Identifier>()
    private var owners = Multimap<Claim.Owner, Claim.Identifier>()
    private var purposes = Multimap<String, Claim.Identifier>()
    private var nested = Multimap<Claim.Identifier, Claim.Identifier>()
    private var answering = Multimap<PresenterMessage.Identifier, Claim.Identifier>()
    private var during = Multimap<Claim.Identifier, Claim.Identifier>()
    private var threads = Multimap<Thread, Claim.Identifier>()
    /// The number of entries examined or changed since the beginning: a measure of cost for tests.
    private(set) var visits = 0

    var isEmpty: Bool { nodes.isEmpty }

    subscript(id: Claim.Identifier) -> ClaimNode? { nodes[id] }

    /// Updates a claim's progress, but not its accesses (see `relocate`). Does nothing if the claim is not open.
    mutating func update(_ id: Claim.Identifier, _ change: (inout ClaimNode) -> Void) {
        visits += 1
        if let index = nodes.index(forKey: id) { change(&nodes.values[index]) }
    }

    /// Adds a claim.
    ///
    /// - Parameter blockers: the claims that it waits for; at least the nearest ones that it conflicts with.
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

    /// Removes a claim. The claims that waited for it now wait for its blockers, if they conflict with them.
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

    /// Gives the items of a claim new locations. The caller must then update the waits.
    mutating func relocate(_ id: Claim.Identifier, _ newLocation: (ItemAccess) -> ItemLocation) {
        guard var claim = nodes[id]?.claim else { return }
        index(claim, adding: false)
        lines(of: claim) { line, key in line.uncoverAll(key) }
        for index in claim.accesses.indices { claim.accesses[index].location = newLocation(claim.accesses[index]) }
        nodes[id]?.claim = claim
        index(claim, adding: true)
    }

    private mutating func index(_ claim: Claim, adding: Bool) {
        func change(_ line: inout ClaimLine, _ key: CoordinatedItem) {
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

    /// The lines in which a claim covers its blockers: every lookup there also finds the claim itself.
    private mutating func lines(of claim: Claim, _ body: (inout ClaimLine, CoordinatedItem) -> Void) {
        guard !claim.prepares else { return }
        for access in claim.accesses where access.isWriting {
            body(&writers, access.location.unit)
            body(&readers, access.location.unit)
            guard access.concernsContents else { continue }
            body(&sweepers, access.location.item)
            body(&inside, access.location.item)
        }
    }

    /// The open claims that cannot be held at the same time as this one.
    mutating func conflicts(with claim: Claim) -> Set<Claim.Identifier> {
        let found = candidates(for: claim) { line, key in line[key] }
        return found.filter { candidate in
            candidate != claim.id && nodes[candidate].map { $0.claim.conflicts(with: claim) } ?? false
        }
    }

    /// Some of the open claims that cannot be held at the same time as a new one, such that all others end before one
    /// of these. Empty only if there are no such claims.
    mutating func nearestConflicts(with claim: Claim) -> Set<Claim.Identifier> {
        nearest(from: candidates(for: claim) { line, key in line.ends(key) }, inTheWayOf: claim)
    }

    private mutating func candidates(
        for claim: Claim, _ look: (ClaimLine, CoordinatedItem) -> Set<Claim.Identifier>
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

    /// The first conflicting claims on each path of waits that starts at the given claims.
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

    /// All claims that must end first because they conflict with this one.
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

    /// Makes these claims, and all that wait for them, wait directly for every claim that they conflict with.
    mutating func spellOut(_ ids: some Sequence<Claim.Identifier>) {
        for id in queue(behind: Set(ids)) {
            guard let node = nodes[id], !node.blockers.isEmpty else { continue }
            for blocker in blockers(of: node).subtracting(node.blockers) { block(id, by: blocker) }
        }
    }

    /// Whether the first claim waits for the second, directly or through others.
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

    /// Makes a claim wait for another one to end.
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

    /// Whether a waiting claim's turn has come.
    func isNext(_ id: Claim.Identifier) -> Bool {
        guard let index = nodes.index(forKey: id) else { return false }
        return nodes.values[index].stage == .waiting && nodes.values[index].blockers.isEmpty
    }

    /// Sorts claims by their arrival.
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
    /// The claims on an item or, for a folder, on anything in it.
    func claims(at item: CoordinatedItem) -> [Claim.Identifier] { inOrder(items[item].union(inside[item])) }
}
