/// Brings two changes of one text together, line by line. Pure.
///
/// No line that either side wrote is ever lost: a line is gone only where a side took it away, and an edit is a line
/// taken away and another one written. Two edits of one line therefore leave two lines, for people to choose from.
public enum LineMerge {
    /// The text with both changes made.
    ///
    /// - Parameters:
    ///   - base: what both sides started from.
    ///   - mine: what this side made of it.
    ///   - theirs: what the other side made of it. Where both wrote at one place, its lines come first. Lines that both
    ///     wrote there are taken to be the same, so that a change which comes back to its author does not double.
    public static func merge(base: [String], mine: [String], theirs: [String]) -> [String] {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        let (own, other) = (Change(from: base, to: mine), Change(from: base, to: theirs))
        var merged: [String] = []
        for place in 0...base.count {
            merged += united(other.written[place], own.written[place])
            if place < base.count, own.keeps[place], other.keeps[place] { merged.append(base[place]) }
        }
        return merged
    }

    /// How a text became another one.
    private struct Change {
        /// For each line of the base, whether it is still there.
        var keeps: [Bool]
        /// The lines written before each line of the base, and at its end.
        var written: [[String]]

        init(from base: [String], to text: [String]) {
            keeps = Array(repeating: true, count: base.count)
            written = Array(repeating: [], count: base.count + 1)
            var isNew = Array(repeating: false, count: text.count)
            for step in text.difference(from: base) {
                switch step {
                case .remove(let offset, _, _): keeps[offset] = false
                case .insert(let offset, _, _): isNew[offset] = true
                }
            }
            // What is new belongs behind the last line that stayed, where what it replaces was.
            var place = 0
            for (line, isNew) in zip(text, isNew) {
                if isNew {
                    written[place].append(line)
                } else {
                    while !keeps[place] { place += 1 }
                    place += 1
                }
            }
        }
    }

    /// All lines of both, each side's in its order, common ones once.
    private static func united(_ first: [String], _ second: [String]) -> [String] {
        if second.isEmpty || first == second { return first }
        if first.isEmpty { return second }
        let change = Change(from: first, to: second)
        var lines: [String] = []
        for place in 0...first.count {
            if place < first.count, change.keeps[place] {
                lines += change.written[place] + [first[place]]
            } else {
                // What only the first has comes before what the second has instead.
                if place < first.count { lines.append(first[place]) }
                lines += change.written[place]
            }
        }
        return lines
    }
}
