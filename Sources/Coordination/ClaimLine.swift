/// Claims by a common key, and those among them at the end of the line.
///
/// Every claim of a key is either at the end, or a claim at the end waits for it through claims of the same key. A new
/// claim therefore finds all of them by looking only at the ends, however many are waiting.
struct ClaimLine: Sendable {
    private var all = Multimap<CoordinatedItem, Claim.Identifier>()
    private var ends = Multimap<CoordinatedItem, Claim.Identifier>()

    /// All claims of a key.
    subscript(key: CoordinatedItem) -> Set<Claim.Identifier> { all[key] }

    /// The claims of a key that no other claim of the key waits for, and possibly some more.
    func ends(_ key: CoordinatedItem) -> Set<Claim.Identifier> { ends[key] }

    mutating func insert(_ id: Claim.Identifier, for key: CoordinatedItem) {
        all.insert(id, for: key)
        ends.insert(id, for: key)
    }

    mutating func remove(_ id: Claim.Identifier, for key: CoordinatedItem) {
        all.remove(id, for: key)
        ends.remove(id, for: key)
    }

    /// Removes claims from the ends: another claim that every lookup of this key finds waits for them.
    mutating func cover(_ ids: Set<Claim.Identifier>, for key: CoordinatedItem) {
        for id in ids { ends.remove(id, for: key) }
    }

    /// Makes claims ends again: possibly no claim waits for them any more.
    mutating func uncover(_ ids: Set<Claim.Identifier>, for key: CoordinatedItem) {
        for id in ids where all.contains(id, for: key) { ends.insert(id, for: key) }
    }

    /// Makes all claims ends, because the waits are uncertain.
    mutating func uncoverAll(_ key: CoordinatedItem) { ends.set(all[key], for: key) }
}
