package import Rights

/// The documents that one client has deleted or replaced within the last minute. Pure; a change costs the same however
/// many there were, and the memory is bounded by the limit.
package struct ChangeWindow: Sendable {
    /// How long a change counts.
    package static let span = Duration.seconds(60)

    private struct Change: Sendable {
        var key: ItemKey
        var documents: Int
        var moment: ContinuousClock.Instant
    }

    // The oldest is at `first`; what lies before it has expired.
    private var changes: [Change] = []
    private var first = 0
    private var known: Set<ItemKey> = []
    /// How many documents count now.
    package private(set) var documents = 0

    package init() {}

    /// Counts a change, unless that would be more than the limit. A document counts once, however often it is saved.
    ///
    /// - Parameters:
    ///   - count: how many documents the change concerns; more than one for a folder.
    ///   - limit: the most documents.
    /// - Returns: whether the change may happen. One that may not is not counted.
    package mutating func admit(
        _ key: ItemKey, documents count: Int = 1, limit: Int, at now: ContinuousClock.Instant
    ) -> Bool {
        expire(at: now)
        if known.contains(key) { return true }
        guard count <= limit - documents else { return false }
        guard count > 0 else { return true }
        changes.append(Change(key: key, documents: count, moment: now))
        known.insert(key)
        documents += count
        return true
    }

    /// Forgets what no longer counts.
    package mutating func expire(at now: ContinuousClock.Instant) {
        while first < changes.count, now - changes[first].moment >= Self.span {
            known.remove(changes[first].key)
            documents -= changes[first].documents
            first += 1
        }
        // Half of it at a time, so that each change is moved once on average.
        if first * 2 >= changes.count {
            changes.removeFirst(first)
            first = 0
        }
    }
}
