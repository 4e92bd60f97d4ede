/// The replacements that turn one sequence of lines into another one. Pure.
enum LineChanges {
    /// A run of lines that is replaced by another run; one of both may be empty.
    struct Change: Hashable {
        /// The lines that are replaced.
        let base: Range<Int>
        /// The lines in the other sequence that take their place.
        let side: Range<Int>
    }

    /// The changes from one sequence to another, in order: the fewest lines that differ (Myers). Between two changes
    /// there is at least one line that stays.
    ///
    /// - Parameter most: how many lines may be removed and added. The time and the memory grow with its square.
    /// - Returns: nil if more of them differ.
    static func find(from base: [Int32], to side: [Int32], most: Int) -> [Change]? {
        var start = 0
        while start < base.count, start < side.count, base[start] == side[start] { start += 1 }
        var end = 0
        while end < base.count - start, end < side.count - start,
            base[base.count - 1 - end] == side[side.count - 1 - end]
        { end += 1 }
        let (old, new) = (base[start..<(base.count - end)], side[start..<(side.count - end)])
        guard !old.isEmpty, !new.isEmpty else {
            guard old.count + new.count <= most else { return nil }
            return old.isEmpty && new.isEmpty ? [] : [Change(base: old.indices, side: new.indices)]
        }
        guard let kept = matches(Array(old), Array(new), most) else { return nil }
        var changes: [Change] = []
        var (inOld, inNew) = (start, start)
        for match in kept + [(old.count, new.count)] {
            let (old, new) = (match.0 + start, match.1 + start)
            if inOld < old || inNew < new { changes.append(Change(base: inOld..<old, side: inNew..<new)) }
            (inOld, inNew) = (old + 1, new + 1)
        }
        return changes
    }

    /// The positions of equal lines on a shortest way from one sequence to the other.
    private static func matches(_ old: [Int32], _ new: [Int32], _ most: Int) -> [(Int, Int)]? {
        // How far one gets in the old sequence on each diagonal, after each number of differences.
        var reach = [Int32](repeating: 0, count: 2 * most + 3)
        let middle = most + 1
        var steps: [[Int32]] = []
        for differences in 0...most {
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let index = middle + diagonal
                let isAdded =
                    diagonal == -differences || (diagonal != differences && reach[index - 1] < reach[index + 1])
                var inOld = Int(isAdded ? reach[index + 1] : reach[index - 1] + 1)
                while inOld < old.count, inOld - diagonal < new.count, old[inOld] == new[inOld - diagonal] {
                    inOld += 1
                }
                reach[index] = Int32(inOld)
                if inOld >= old.count, inOld - diagonal >= new.count { return path(old.count, new.count, steps) }
            }
            steps.append(Array(reach[(middle - differences)...(middle + differences)]))
        }
        return nil
    }

    // From the end back to the start.
    private static func path(_ old: Int, _ new: Int, _ steps: [[Int32]]) -> [(Int, Int)] {
        var kept: [(Int, Int)] = []
        var (inOld, inNew) = (old, new)
        for (number, reach) in steps.enumerated().reversed() {
            func value(_ diagonal: Int) -> Int {
                reach.indices.contains(number + diagonal) ? Int(reach[number + diagonal]) : -1
            }
            let (diagonal, differences) = (inOld - inNew, number + 1)
            let isAdded =
                diagonal == -differences || (diagonal != differences && value(diagonal - 1) < value(diagonal + 1))
            let before = isAdded ? diagonal + 1 : diagonal - 1
            let (oldBefore, newBefore) = (value(before), value(before) - before)
            let first = isAdded ? (oldBefore, newBefore + 1) : (oldBefore + 1, newBefore)
            while inOld > first.0, inNew > first.1 {
                (inOld, inNew) = (inOld - 1, inNew - 1)
                kept.append((inOld, inNew))
            }
            (inOld, inNew) = (oldBefore, newBefore)
        }
        while inOld > 0, inNew > 0 {
            (inOld, inNew) = (inOld - 1, inNew - 1)
            kept.append((inOld, inNew))
        }
        return kept.reversed()
    }
}
