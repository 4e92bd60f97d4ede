/// Claims by something that they have in common, and those of them that are at the end of the line.
///
/// Every claim of a key is at the end, or somebody at the end waits for it by way of claims of that key. So whoever
/// comes next finds all by looking at the ends alone, however many wait.
struct ClaimLine: Sendable {
    private var all = Multimap<ItemKey, Claim.Identifier>()
    private var ends = Multimap<ItemKey, Claim.Identifier>()

    /// All claims of a key.
    subscript(key: ItemKey) -> Set<Claim.Identifier> { all[key] }

    /// Those that nobody who looks for claims of this key stands behind, and perhaps some more.
    func ends(_ key: ItemKey) -> Set<Claim.Identifier> { ends[key] }

    mutating func insert(_ id: Claim.Identifier, for key: ItemKey) {
        all.insert(id, for: key)
        ends.insert(id, for: key)
    }

    mutating func remove(_ id: Claim.Identifier, for key: ItemKey) {
        all.remove(id, for: key)
        ends.remove(id, for: key)
    }

    /// Somebody whom everybody finds who looks for claims of this key waits for these.
    mutating func cover(_ ids: Set<Claim.Identifier>, for key: ItemKey) {
        for id in ids { ends.remove(id, for: key) }
    }

    /// Nobody may wait for these any more.
    mutating func uncover(_ ids: Set<Claim.Identifier>, for key: ItemKey) {
        for id in ids where all.contains(id, for: key) { ends.insert(id, for: key) }
    }

    /// Who waits for whom is uncertain.
    mutating func uncoverAll(_ key: ItemKey) { ends.set(all[key], for: key) }
}
