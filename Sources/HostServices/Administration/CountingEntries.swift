package import FoundationEssentials
package import Rights

/// The entries of the audit that were told while their minute went on, in which they may count further. Pure.
package struct CountingEntries: Sendable {
    /// How long after its minute an entry is surely written, in seconds.
    private static let grace: TimeInterval = 2

    private struct Told {
        let count: Int
        let end: Date
    }

    private let limit: Int
    private var told: [Int64: Told] = [:]

    /// - Parameter limit: of how many entries it is remembered at most; the others are not told again.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Remembers entries that are told now.
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

    /// The entries whose minute is over by now, with the counts that were told. They are forgotten here.
    package mutating func takeOver(at now: Date) -> [Int64: Int] {
        let over = told.filter { $0.value.end <= now }
        for number in over.keys { told[number] = nil }
        return over.mapValues(\.count)
    }
}
