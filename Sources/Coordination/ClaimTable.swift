/// Decides which claims are held and which wait (SEMANTICS 2.3). It does nothing by itself: each event tells what follows
/// from it, and the caller acts on that.
///
/// - Claims that read an item together do not wait for each other; any other pair on one item does, unless both have the
///   same purpose.
/// - First come, first served: a claim also waits for conflicting claims that came before it and still wait. So no stream
///   of readers can starve a writer.
/// - A claim takes all of its items at one moment and holds none while it waits, so claims cannot lock each other out
///   by their order.
/// - A claim goes ahead of those that wait, directly or not, for a held claim of its own purpose: it may be made
///   inside that claim's access, which would otherwise never end. (A purpose that keeps claims overlapping without end
///   thereby keeps others waiting; they see it in the ledger.)
package struct ClaimTable: Sendable {
    /// What an event brought about.
    package struct Outcome: Hashable, Sendable {
        /// The claims that the event ended, in the order of arrival.
        package var ended: [Claim] = []
        /// The claims that are held from now on, in the order of arrival.
        package var granted: [Claim] = []

        /// Makes the outcome of an event from which nothing follows, unless something is given.
        package init(ended: [Claim] = [], granted: [Claim] = []) {
            self.ended = ended
            self.granted = granted
        }
    }

    private struct Standing {
        var waitsFor: [Claim.Identifier] = []
        /// The purposes of the held claims that it waits for, directly or through others.
        var purposesAhead: Set<String> = []
    }

    /// Claims in the order of arrival.
    private var held: [Claim] = []
    private var waiting: [Claim] = []
    private var identifiers: Set<Claim.Identifier> = []

    /// Makes a table without claims.
    package init() {}

    /// Whether nobody holds or waits.
    package var isEmpty: Bool { identifiers.isEmpty }

    /// Takes a new claim.
    ///
    /// - Returns: the claim itself among `granted` when it need not wait; nil, and nothing happens, when a claim of this
    ///   identifier is in the table already.
    package mutating func request(_ claim: Claim) -> Outcome? {
        guard identifiers.insert(claim.id).inserted else { return nil }
        waiting.append(claim)
        return settle(ended: [])
    }

    /// Ends a claim that waits. One that is held stays held (2.8): nothing happens then, nor for an unknown one.
    package mutating func cancel(_ id: Claim.Identifier) -> Outcome {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return Outcome() }
        return settle(ended: [waiting.remove(at: index)])
    }

    /// Ends a claim that is held. Nothing happens for one that waits or is unknown.
    package mutating func release(_ id: Claim.Identifier) -> Outcome {
        guard let index = held.firstIndex(where: { $0.id == id }) else { return Outcome() }
        return settle(ended: [held.remove(at: index)])
    }

    /// Ends all claims of a client that is gone, held and waiting (2.9).
    package mutating func releaseAll(owner: Claim.Owner) -> Outcome {
        let ended = (held + waiting).filter { $0.owner == owner }
        guard !ended.isEmpty else { return Outcome() }
        held.removeAll { $0.owner == owner }
        waiting.removeAll { $0.owner == owner }
        return settle(ended: ended)
    }

    /// Who holds and who waits for whom: held claims in the order in which they were granted, then waiting ones in the
    /// order of arrival.
    package var ledger: [ClaimLedgerEntry] {
        var copy = self
        let (_, standings) = copy.grant()
        return held.map { ClaimLedgerEntry(claim: $0, isHeld: true, waitsFor: []) }
            + zip(waiting, standings).map {
                ClaimLedgerEntry(claim: $0, isHeld: false, waitsFor: $1.waitsFor)
            }
    }

    private mutating func settle(ended: [Claim]) -> Outcome {
        for claim in ended { identifiers.remove(claim.id) }
        return Outcome(ended: ended, granted: grant().granted)
    }

    /// Grants what need not wait. One pass suffices: a grant never frees another claim.
    private mutating func grant() -> (granted: [Claim], standings: [Standing]) {
        var granted: [Claim] = []
        var remaining: [Claim] = []
        var standings: [Standing] = []
        var heldByItem = Self.index(held)
        var remainingByItem: [ItemKey: [Int]] = [:]
        for claim in waiting {
            var standing = Standing()
            for index in Self.candidates(for: claim, in: heldByItem) where held[index].conflicts(with: claim) {
                standing.waitsFor.append(held[index].id)
                standing.purposesAhead.insert(held[index].purpose)
            }
            for index in Self.candidates(for: claim, in: remainingByItem) where remaining[index].conflicts(with: claim)
            {
                let ahead = standings[index].purposesAhead
                if ahead.contains(claim.purpose) { continue }
                standing.waitsFor.append(remaining[index].id)
                standing.purposesAhead.formUnion(ahead)
            }
            if standing.waitsFor.isEmpty {
                for item in claim.items { heldByItem[item, default: []].append(held.count) }
                held.append(claim)
                granted.append(claim)
            } else {
                for item in claim.items { remainingByItem[item, default: []].append(remaining.count) }
                remaining.append(claim)
                standings.append(standing)
            }
        }
        waiting = remaining
        return (granted, standings)
    }

    private static func index(_ claims: [Claim]) -> [ItemKey: [Int]] {
        var result: [ItemKey: [Int]] = [:]
        for (index, claim) in claims.enumerated() {
            for item in claim.items { result[item, default: []].append(index) }
        }
        return result
    }

    private static func candidates(for claim: Claim, in index: [ItemKey: [Int]]) -> [Int] {
        if claim.items.count == 1 { return index[claim.items[0]] ?? [] }
        return Set(claim.items.lazy.flatMap { index[$0] ?? [] }).sorted()
    }
}
