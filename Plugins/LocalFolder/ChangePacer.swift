import FileProvider

/// Decides when a change is reported: the first time at once, and then at most ten times a second for each item. Pure.
struct ChangePacer: Sendable {
    /// The time between two reports of the same item.
    static let interval = Duration.milliseconds(100)

    private var told: [ItemIdentifier: ContinuousClock.Instant] = [:]
    private var held: Set<ItemIdentifier> = []

    /// Whether changes are held back.
    var isHolding: Bool { !held.isEmpty }

    /// Adds changes.
    ///
    /// - Returns: The changes to be reported now; the others are held back.
    mutating func note(_ items: Set<ItemIdentifier>, now: ContinuousClock.Instant) -> Set<ItemIdentifier> {
        held.formUnion(items)
        return due(now: now)
    }

    /// The held changes that are due.
    mutating func due(now: ContinuousClock.Instant) -> Set<ItemIdentifier> {
        told = told.filter { now - $0.value < Self.interval }
        let due = held.filter { told[$0] == nil }
        held.subtract(due)
        for item in due { told[item] = now }
        return due
    }

    /// Discards held changes: the items are gone, or (nil) everything will be checked.
    mutating func drop(_ items: Set<ItemIdentifier>?) {
        if let items { held.subtract(items) } else { held = [] }
    }
}
