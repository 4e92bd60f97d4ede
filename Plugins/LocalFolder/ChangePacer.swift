import FileProvider

/// Decides when a change is told: at once the first time, and then ten times a second for each item. Pure.
struct ChangePacer: Sendable {
    /// Between two news of the same item.
    static let interval = Duration.milliseconds(100)

    private var told: [ItemIdentifier: ContinuousClock.Instant] = [:]
    private var held: Set<ItemIdentifier> = []

    /// Whether something waits to be told.
    var isHolding: Bool { !held.isEmpty }

    /// Takes in changes.
    ///
    /// - Returns: Those to be told now; the others are held.
    mutating func note(_ items: Set<ItemIdentifier>, now: ContinuousClock.Instant) -> Set<ItemIdentifier> {
        held.formUnion(items)
        return due(now: now)
    }

    /// Those of the held changes whose time has come.
    mutating func due(now: ContinuousClock.Instant) -> Set<ItemIdentifier> {
        told = told.filter { now - $0.value < Self.interval }
        let due = held.filter { told[$0] == nil }
        held.subtract(due)
        for item in due { told[item] = now }
        return due
    }

    /// The item is gone, or everything will be looked at: a held change need not be told.
    mutating func drop(_ items: Set<ItemIdentifier>?) {
        if let items { held.subtract(items) } else { held = [] }
    }
}
