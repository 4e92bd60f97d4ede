package import FoundationEssentials
package import Rights

/// The reported audit entries whose minute was not over, so that their count may still grow. Pure.
package struct CountingEntries: Sendable {
    /// How long after its minute an entry is certainly written, in seconds.
    private static let grace: TimeInterval = 2

    private struct Told {
        let count: Int
        let end: Date
    }

    private let limit: Int
    private var told: [Int64: Told] = [:]

    /// - Parameter limit: the maximum number of remembered entries. Entries beyond it are not reported again.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Remembers entries that are being reported.
    package mutating func note(_ entries: [AuditEntry], at now: Date) {
        for entry in entries where AuditEntry.Event.counted.contains(entry.event) && told.count < limit {
            note(entry.id, count: entry.count, first: entry.first, at: now)
        }
    }

    /// Remembers one entry, unless its minute is over.
    package mutating func note(_ number: Int64, count: Int, first: Date, at now: Date) {
        let end = Date(timeIntervalSince1970: ((first.timeIntervalSince1970 / 60).rounded(.down) + 1) * 60)
        let settled = end + Self.grace
        if settled > now { told[number] = Told(count: count, end: settled) }
    }

    /// Removes and returns the entries whose minute is over, with the counts that were reported.
    package mutating func takeOver(at now: Date) -> [Int64: Int] {
        let over = told.filter { $0.value.end <= now }
        for number in over.keys { told[number] = nil }
        return over.mapValues(\.count)
    }
}
