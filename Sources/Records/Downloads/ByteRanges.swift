/// Which bytes of a content are here: half-open ranges, in order, that neither overlap nor touch. Pure.
package struct ByteRanges: Hashable, Sendable {
    /// The ranges.
    package private(set) var ranges: [Range<Int64>] = []

    /// The most ranges that a text may have; content in more pieces counts as not here beyond them.
    package static let most = 65_536

    /// Nothing is here.
    package init() {}

    /// One range is here; nothing when it is empty.
    package init(_ range: Range<Int64>) { insert(range) }

    /// Whether nothing is here.
    package var isEmpty: Bool { ranges.isEmpty }

    /// The number of bytes that are here.
    package var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// The number of bytes that are here from the start on, without a gap.
    package var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// Adds a range, joining it with those that it overlaps or touches. A negative beginning is cut off.
    package mutating func insert(_ given: Range<Int64>) {
        var (lower, upper) = (max(0, given.lowerBound), given.upperBound)
        guard lower < upper else { return }
        let first = firstIndex(endingAtOrAfter: lower)
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= upper {
            lower = min(lower, ranges[end].lowerBound)
            upper = max(upper, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: [lower..<upper])
    }

    /// Takes a range away.
    package mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        ranges = ranges.flatMap { known in
            [
                known.lowerBound..<min(known.upperBound, max(known.lowerBound, range.lowerBound)),
                max(known.lowerBound, min(known.upperBound, range.upperBound))..<known.upperBound,
            ]
            .filter { !$0.isEmpty }
        }
    }

    /// Whether all bytes of a range are here. True for an empty one.
    package func contains(_ range: Range<Int64>) -> Bool {
        guard !range.isEmpty else { return true }
        let index = firstIndex(endingAtOrAfter: range.lowerBound + 1)
        return index < ranges.count && ranges[index].lowerBound <= range.lowerBound
            && ranges[index].upperBound >= range.upperBound
    }

    /// What is not here of a range, in order.
    package func missing(in range: Range<Int64>) -> [Range<Int64>] {
        var (result, position) = ([Range<Int64>](), range.lowerBound)
        var index = firstIndex(endingAtOrAfter: range.lowerBound + 1)
        while position < range.upperBound {
            guard index < ranges.count, ranges[index].lowerBound < range.upperBound else {
                result.append(position..<range.upperBound)
                break
            }
            if position < ranges[index].lowerBound { result.append(position..<ranges[index].lowerBound) }
            position = ranges[index].upperBound
            index += 1
        }
        return result
    }

    // Binary search: content that is read here and there has many pieces.
    private func firstIndex(endingAtOrAfter position: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: As text

    /// The ranges as text, such as `0-4096,8192-12288`, with the end of each behind its last byte.
    package var text: String {
        ranges.prefix(Self.most).map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Reads ``text``; nil for anything else, also for ranges that are not in order.
    package init?(text: String) {
        guard !text.isEmpty else { return }
        let parts = text.split(separator: ",", maxSplits: Self.most, omittingEmptySubsequences: false)
        guard parts.count <= Self.most else { return nil }
        var end: Int64 = -1
        for part in parts {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower > end, lower >= 0, lower < upper
            else {
                return nil
            }
            ranges.append(lower..<upper)
            end = upper
        }
    }
}
