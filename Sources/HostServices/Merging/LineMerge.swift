/// Merges two texts that both started from a third one, line by line. Pure.
///
/// The result does not depend on which of the two comes first: two machines that merge the same texts get the same one.
enum LineMerge {
    /// The most bytes of each text, and of the result.
    static let mostBytes = 4 << 20
    /// How many lines each of the two may have removed and added.
    static let mostChanges = 2000

    /// Whether bytes are a text that is merged: UTF-8 without NUL, and not too large.
    static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.count <= mostBytes && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// The base with the changes of both.
    ///
    /// - Returns: nil if a change of one touches a different change of the other, or if too much has changed. The same
    ///   change, made by both, counts once.
    static func merge(base: [UInt8], _ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        var numbers: [ArraySlice<UInt8>: Int32] = [:]
        let base = Text(base, &numbers)
        var sides = [Text(one, &numbers), Text(other, &numbers)].map { Side($0) }
        for index in sides.indices {
            guard
                let changes = LineChanges.find(from: base.numbers, to: sides[index].text.numbers, most: mostChanges)
            else { return nil }
            sides[index].changes = changes[...]
        }
        var merged: [UInt8] = []
        var position = 0
        while let next = sides.compactMap({ $0.changes.first?.base.lowerBound }).min() {
            merged += base.bytes(position..<next)
            var end = next
            var taken = [0, 0]
            // Changes that touch this one, on either side, belong to it.
            while let index = sides.indices.first(where: { sides[$0].next(taken[$0], touching: end) != nil }) {
                end = max(end, sides[index].next(taken[index], touching: end) ?? end)
                taken[index] += 1
            }
            let results = sides.indices.map { sides[$0].take(taken[$0], of: next..<end) }
            switch (taken[0] > 0, taken[1] > 0) {
            case (true, true):
                guard sides[0].text.numbers[results[0]] == sides[1].text.numbers[results[1]] else { return nil }
                merged += sides[0].text.bytes(results[0])
            case (true, false): merged += sides[0].text.bytes(results[0])
            default: merged += sides[1].text.bytes(results[1])
            }
            position = end
        }
        merged += base.bytes(position..<base.numbers.count)
        return merged
    }

    /// The lines of a text, each with its end, and a number for each that is the same for the same line.
    private struct Text {
        private let content: [UInt8]
        private let starts: [Int]
        let numbers: [Int32]

        init(_ content: [UInt8], _ known: inout [ArraySlice<UInt8>: Int32]) {
            self.content = content
            var (starts, numbers, start) = ([Int](), [Int32](), 0)
            while start < content.count {
                let end = content[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? content.count
                starts.append(start)
                let line = content[start..<end]
                let number = known[line] ?? Int32(known.count)
                known[line] = number
                numbers.append(number)
                start = end
            }
            self.starts = starts + [content.count]
            self.numbers = numbers
        }

        func bytes(_ lines: Range<Int>) -> ArraySlice<UInt8> {
            content[starts[lines.lowerBound]..<starts[lines.upperBound]]
        }
    }

    /// One of the two texts, with the changes that are still to be merged.
    private struct Side {
        let text: Text
        var changes: ArraySlice<LineChanges.Change> = []
        /// How much further a line is in this text than in the base, after the changes that are merged.
        private var shift = 0

        init(_ text: Text) { self.text = text }

        /// The end of the next change after so many, if it touches the lines up to a position.
        func next(_ count: Int, touching end: Int) -> Int? {
            let rest = changes.dropFirst(count)
            guard let change = rest.first, change.base.lowerBound <= end else { return nil }
            return change.base.upperBound
        }

        /// Goes past so many changes.
        ///
        /// - Returns: the lines in this text that stand for these lines of the base.
        mutating func take(_ count: Int, of lines: Range<Int>) -> Range<Int> {
            let start = lines.lowerBound + shift
            for _ in 0..<count {
                guard let change = changes.popFirst() else { break }
                shift += change.side.count - change.base.count
            }
            return start..<(lines.upperBound + shift)
        }
    }
}
