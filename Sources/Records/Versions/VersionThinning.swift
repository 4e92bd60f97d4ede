package import FoundationEssentials

/// Decides which of the versions that may be thinned are removed. Pure.
///
/// All versions of the last hour stay, the last one of each hour for a day, of each day for a month, and of each week
/// after that. The newest version of a document stays until there is no other way to free space.
package enum VersionThinning {
    /// A version that may be removed.
    package struct Candidate: Hashable, Sendable {
        /// Its name.
        package var id: String
        /// When it was kept.
        package var created: Date
        /// Its size in bytes.
        package var size: Int64
        /// When the next version of the same document was kept; nil for the newest, and where it is not needed.
        package var next: Date?

        /// Creates a candidate.
        package init(id: String, created: Date, size: Int64, next: Date? = nil) {
            self.id = id
            self.created = created
            self.size = size
            self.next = next
        }
    }

    private static let (hour, day, month): (Double, Double, Double) = (3600, 86_400, 30 * 86_400)

    /// The versions of one document to remove, because of their age or number.
    ///
    /// - Parameters:
    ///   - candidates: all versions of the document that may be removed, oldest first.
    ///   - ages: whether the clock can be trusted. Otherwise only the number counts.
    package static func surplus(
        of candidates: [Candidate], _ policy: VersionPolicy, at now: Date, ages: Bool = true
    ) -> [String] {
        var kept = candidates
        var removed: [String] = []
        if ages, let newest = candidates.last {
            let last = lastOfEach(candidates)
            kept = candidates.filter { candidate in
                if candidate == newest { return true }
                let age = now.timeIntervalSince(candidate.created)
                if age <= hour { return true }
                guard age <= Double(policy.days) * day else { return false }
                return last.contains(Slot(candidate, age: age, id: candidate.id))
            }
            let staying = Set(kept.map(\.id))
            removed = candidates.map(\.id).filter { !staying.contains($0) }
        }
        let excess = kept.count - max(policy.versions, 1)
        return excess > 0 ? removed + leastValuable(kept, excess, at: now) : removed
    }

    /// The versions to remove so that a number of bytes is freed, least valuable first.
    ///
    /// - Parameter candidates: with the moments of the next versions.
    package static func freeing(_ bytes: Int64, of candidates: [Candidate], at now: Date) -> [String] {
        var left = bytes
        var result: [String] = []
        let ordered = candidates.sorted { one, other in
            let values = (value(of: one, at: now), value(of: other, at: now))
            return values.0 != values.1 ? values.0 < values.1 : (one.created, one.id) < (other.created, other.id)
        }
        for candidate in ordered where left > 0 {
            result.append(candidate.id)
            left -= candidate.size
        }
        return result
    }

    // MARK: The schedule

    // An hour, a day or a week, counted from 1970. Hours nest in days and days in weeks, so what is the last of its
    // week was the last of its day before: what stays once is not replaced by a neighbour later.
    private struct Slot: Hashable {
        var length: Double
        var number: Double
        var id: String

        init(_ candidate: Candidate, age: TimeInterval, id: String) {
            length = age <= day ? hour : age <= month ? day : 7 * day
            number = (candidate.created.timeIntervalSince1970 / length).rounded(.down)
            self.id = id
        }

        init(_ candidate: Candidate, length: Double) {
            self.length = length
            number = (candidate.created.timeIntervalSince1970 / length).rounded(.down)
            id = candidate.id
        }
    }

    // The last version of each hour, day and week.
    private static func lastOfEach(_ candidates: [Candidate]) -> Set<Slot> {
        var result: Set<Slot> = []
        for length in [hour, day, 7 * day] {
            var last: [Double: Slot] = [:]
            for candidate in candidates {
                let slot = Slot(candidate, length: length)
                last[slot.number] = slot
            }
            result.formUnion(last.values)
        }
        return result
    }

    // MARK: The value

    // The time for which a version is the only one, compared with its age: one among many of long ago is worth least.
    private static func value(of candidate: Candidate, at now: Date) -> Double {
        guard let next = candidate.next else { return .infinity }
        return max(0, next.timeIntervalSince(candidate.created)) / max(60, now.timeIntervalSince(candidate.created))
    }

    private static func leastValuable(_ candidates: [Candidate], _ count: Int, at now: Date) -> [String] {
        var left = candidates
        for index in left.indices.dropLast() { left[index].next = left[index + 1].created }
        left[left.count - 1].next = nil
        var result: [String] = []
        while result.count < count, left.count > 1 {
            var (least, index) = (Double.infinity, 0)
            for position in left.indices.dropLast() {
                let value = value(of: left[position], at: now)
                if value < least { (least, index) = (value, position) }
            }
            result.append(left.remove(at: index).id)
            // The version before it now stands for its time too.
            if index > 0 { left[index - 1].next = left[index].created }
        }
        return result
    }
}
