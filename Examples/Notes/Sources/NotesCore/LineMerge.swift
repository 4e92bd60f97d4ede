/// Merges two changes of one text line by line. Pure.
///
/// A line that either side wrote is never lost: a line is only missing where a side removed it, and an edit removes one
/// line and writes another. Two edits of one line therefore leave two lines, for people to choose from.
public enum LineMerge {
    /// The text with both changes.
    ///
    /// - Parameters:
    ///   - base: the text that both sides started from.
    ///   - mine: this side's text.
    ///   - theirs: the other side's text. Where both wrote at one place, its lines come first. Lines that both wrote
    ///     there count as the same, so that a change that returns to its author is not duplicated.
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

    /// The difference between two texts.
    private struct Change {
        /// Whether each line of the base is kept.
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
            // New lines go after the last line that was kept, where the replaced lines were.
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

    /// All lines of both sides, each side in its order, common lines once.
    private static func united(_ first: [String], _ second: [String]) -> [String] {
        if second.isEmpty || first == second { return first }
        if first.isEmpty { return second }
        let change = Change(from: first, to: second)
        var lines: [String] = []
        for place in 0...first.count {
            if place < first.count, change.keeps[place] {
                lines += change.written[place] + [first[place]]
            } else {
                // Lines that only the first side has go before those that only the second has.
                if place < first.count { lines.append(first[place]) }
                lines += change.written[place]
            }
        }
        return lines
    }
}
