/// Waits, and cycles of waits. Only declared waits count, so there are no false alarms.
extension CoordinationState {
    /// A snapshot of all claims and presenters.
    package var ledger: CoordinationLedger {
        CoordinationLedger(
            claims: claims.inOrder(claims.nodes.keys).compactMap { id in
                claims[id].map { .init(claim: $0.claim, stage: $0.stage, waitsFor: waits(of: $0)) }
            },
            presenters: presenters.records.keys.sorted().compactMap { id in
                presenters[id].map { .init(presenter: $0.presenter, unanswered: $0.questions) }
            })
    }

    /// What a claim waits for directly before it is granted; empty for a claim that is held or unknown.
    package func waits(of id: Claim.Identifier) -> [WaitNode] { claims[id].map { waits(of: $0) } ?? [] }

    private func waits(of node: ClaimNode) -> [WaitNode] {
        waits(of: node, for: claims.blockers(of: node))
    }

    private func waits(of node: ClaimNode, for blockers: Set<Claim.Identifier>) -> [WaitNode] {
        var result: [WaitNode] = []
        if node.isHeld { return result }
        result += claims.inOrder(blockers).map { .claim($0) }
        result += node.pending.sorted { $0.key < $1.key }.map { .message($0.value, $0.key) }
        if node.stage == .providing { result.append(.provider(node.claim.id)) }
        return result
    }

    /// What a node waits for, as far as it was declared.
    ///
    /// - Parameter all: whether to include claims that must end before other included ones.
    private func successors(of wait: WaitNode, all: Bool) -> [WaitNode] {
        switch wait {
        case .claim(let id):
            guard let node = claims[id] else { return [] }
            // A held claim's access continues when the claims within it have been granted.
            if node.isHeld { return claims.claims(within: id).map { .claim($0) } }
            return all ? waits(of: node) : waits(of: node, for: node.blockers)
        case .message(let message, let presenter):
            guard let record = presenters[presenter] else { return [] }
            if let first = record.unanswered, first.id != message { return [.message(first.id, presenter)] }
            let thread = record.presenter.thread.map { [WaitNode.thread(record.presenter.owner, $0)] } ?? []
            return claims.claims(answering: message).map { .claim($0) } + thread
        case .provider(let id): return claims.claims(during: id).map { .claim($0) }
        case .thread(let owner, let name): return claims.claims(blocking: name, of: owner).map { .claim($0) }
        }
    }

    /// Fails the youngest claim of each cycle that the current event has closed.
    mutating func breakCycles() {
        while let id = suspects.last {
            // The nearest claims are enough to find a cycle; all are needed to find its youngest claim.
            guard let node = claims[id], canBeWaitedFor(node), cycle(through: .claim(id), all: false) != nil,
                let cycle = cycle(through: .claim(id), all: true)
            else {
                suspects.removeLast()
                continue
            }
            let open = cycle.compactMap { node -> ClaimNode? in
                guard case .claim(let member) = node, let found = claims[member], !found.isHeld else { return nil }
                return found
            }
            guard let youngest = open.max(by: { $0.order < $1.order })?.claim.id,
                let start = cycle.firstIndex(of: .claim(youngest))
            else {
                suspects.removeLast()
                continue
            }
            fail(youngest, .deadlock(Array(cycle[start...] + cycle[..<start] + [cycle[start]])))
        }
    }

    /// Whether anything can wait for a claim that is not held; otherwise it cannot be part of a cycle.
    private func canBeWaitedFor(_ node: ClaimNode) -> Bool {
        let claim = node.claim
        guard !node.isHeld else { return false }
        return !node.dependents.isEmpty || claim.during != nil || !claim.answering.isEmpty
            || claim.within.contains { claims[$0] != nil }
            || (claim.blockedThread != nil && !presenters.presenters(of: claim.owner).isEmpty)
    }

    /// A cycle of waits through this node, starting with it.
    private func cycle(through start: WaitNode, all: Bool) -> [WaitNode]? {
        var path = [start]
        var rest = [successors(of: start, all: all)[...]]
        var seen: Set<WaitNode> = []
        while !rest.isEmpty {
            guard let next = rest[rest.count - 1].popFirst() else {
                rest.removeLast()
                path.removeLast()
                continue
            }
            if next == start { return path }
            guard seen.insert(next).inserted else { continue }
            path.append(next)
            rest.append(successors(of: next, all: all)[...])
        }
        return nil
    }
}
