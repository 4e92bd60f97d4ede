import NotesCore
import Testing

/// Merging two changes of one text.
@Suite struct LineMergeTests {
    @Test(
        "two changes of one text are merged, and no line is lost",
        arguments: [
            // base, mine, theirs, merged
            ("", "", "", ""),
            ("ab", "ab", "ab", "ab"),
            ("ab", "abx", "ab", "abx"),
            ("ab", "ab", "aby", "aby"),
            ("ab", "abx", "aby", "abyx"),
            ("ab", "xab", "aby", "xaby"),
            ("abc", "ac", "abc", "ac"),
            ("abc", "ac", "ab", "a"),
            ("ab", "xb", "ay", "xy"),
            ("ab", "ax", "ay", "ayx"),
            // An edit wins over a deletion.
            ("abc", "axc", "ac", "axc"),
            ("abc", "ac", "axc", "axc"),
            ("abc", "", "abc", ""),
            ("abc", "", "abxc", "x"),
            // The same change twice: a save whose answer was lost.
            ("a", "ax", "ax", "ax"),
            ("a", "axz", "axy", "axyz"),
            ("a", "axz", "ax", "axz"),
            ("", "ab", "cab", "cab"),
        ])
    func merge(base: String, mine: String, theirs: String, merged: String) {
        func lines(_ text: String) -> [String] { text.map(String.init) }
        #expect(LineMerge.merge(base: lines(base), mine: lines(mine), theirs: lines(theirs)) == lines(merged))
    }

    @Test("whatever two editors do, no line that either wrote or both kept is lost", arguments: 0..<300)
    func noLineIsLost(seed: Int) {
        var random = Seeded(UInt64(seed))
        let base = (0..<Int.random(in: 0...8, using: &random)).map { "base \($0)" }
        var (mine, theirs) = (Script(base, name: "mine"), Script(base, name: "theirs"))
        for _ in 0..<Int.random(in: 0...12, using: &random) { mine.edit(&random) }
        for _ in 0..<Int.random(in: 0...12, using: &random) { theirs.edit(&random) }
        let merged = LineMerge.merge(base: base, mine: mine.lines, theirs: theirs.lines)

        let left = base.filter { mine.lines.contains($0) && theirs.lines.contains($0) }
        let written = (mine.lines + theirs.lines).filter { !base.contains($0) }
        #expect(merged.sorted() == (left + written).sorted(), "every line, and each once")
        // The lines of each side stay in their order.
        for side in [mine, theirs] {
            let own = side.lines.filter { line in left.contains(line) || !base.contains(line) }
            #expect(merged.filter(own.contains) == own)
        }
        // Merging again after storing changes nothing, and neither side sees anything new when both have it.
        #expect(LineMerge.merge(base: theirs.lines, mine: merged, theirs: theirs.lines) == merged)
        #expect(LineMerge.merge(base: base, mine: merged, theirs: merged) == merged)
    }

    @Test("two editors that save in turns end with the same text, which contains every line", arguments: 0..<100)
    func turns(seed: Int) throws {
        var random = Seeded(UInt64(seed) + 1_000)
        var stored: [String] = ["first"]
        var editors = [NoteText(stored: stored), NoteText(stored: stored)]
        var written: Set<String> = ["first"]
        for step in 0..<60 {
            let who = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                editors[who].append("line \(step) of \(who)")
                written.insert("line \(step) of \(who)")
            case 1 where !editors[who].lines.isEmpty:
                let number = Int.random(in: 1...editors[who].lines.count, using: &random)
                written.remove(editors[who].lines[number - 1])
                try editors[who].edit(number, "edit \(step) by \(who)")
                written.insert("edit \(step) by \(who)")
            case 2: editors[who].absorb(stored: stored)
            default:
                editors[who].absorb(stored: stored)
                stored = editors[who].lines
                editors[who].didStore(stored)
            }
        }
        for who in [0, 1, 0, 1] {
            editors[who].absorb(stored: stored)
            stored = editors[who].lines
            editors[who].didStore(stored)
        }
        #expect(editors[0] == editors[1] && !editors[0].hasUnsavedChanges)
        #expect(written.isSubset(of: stored))
    }

    /// A random editor; every line that it writes is unique.
    private struct Script {
        var lines: [String]
        let name: String
        private var count = 0

        init(_ lines: [String], name: String) {
            self.lines = lines
            self.name = name
        }

        mutating func edit(_ random: inout Seeded) {
            count += 1
            let place = Int.random(in: 0...lines.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0 where place < lines.count: lines[place] = "\(name) \(count)"
            case 1 where place < lines.count: lines.remove(at: place)
            case 2: lines.append("\(name) \(count)")
            default: lines.insert("\(name) \(count)", at: place)
            }
        }
    }
}
