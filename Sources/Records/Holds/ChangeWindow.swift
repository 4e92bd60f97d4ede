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
    // How many documents each of them counts as.
    private var known: [ItemKey: Int] = [:]
    /// How many documents count now.
    package private(set) var documents = 0

    package init() {}

    /// Counts a change, unless that would be more than the limit. A document counts once, however often it is saved,
    /// and a folder as the most documents that were in it.
    ///
    /// - Parameters:
    ///   - count: how many documents the change concerns; more than one for a folder.
    ///   - limit: the most documents.
    /// - Returns: whether the change may happen. One that may not is not counted.
    package mutating func admit(
        _ key: ItemKey, documents count: Int = 1, limit: Int, at now: ContinuousClock.Instant
    ) -> Bool {
        expire(at: now)
        let more = count - known[key, default: 0]
        guard more > 0 else { return true }
        guard more <= limit - documents else { return false }
        changes.append(Change(key: key, documents: more, moment: now))
        known[key, default: 0] += more
        documents += more
        return true
    }

    /// Forgets what no longer counts.
    package mutating func expire(at now: ContinuousClock.Instant) {
        while first < changes.count, now - changes[first].moment >= Self.span {
            let expired = changes[first]
            let left = known[expired.key, default: 0] - expired.documents
            known[expired.key] = left > 0 ? left : nil
            documents -= expired.documents
            first += 1
        }
        // Half of it at a time, so that each change is moved once on average.
        if first * 2 >= changes.count {
            changes.removeFirst(first)
            first = 0
        }
    }
}
