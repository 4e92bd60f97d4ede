import Testing

@testable import HostServices

/// Merging texts line by line.
@Suite(.timeLimit(.minutes(5))) struct LineMergeTests {
    private static func merge(_ base: String, _ one: String, _ other: String) -> String? {
        LineMerge.merge(base: Array(base.utf8), Array(one.utf8), Array(other.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private struct Example: CustomTestStringConvertible {
        var base, one, other: String
        var merged: String?
        var testDescription: String { "\(base) \(one) \(other)".replacing("\n", with: ";") }

        init(_ base: String, _ one: String, _ other: String, _ merged: String?) {
            (self.base, self.one, self.other, self.merged) = (base, one, other, merged)
        }
    }

    private static let examples = [
        // Apart from each other.
        Example("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        Example("a\nb\nc\n", "a\nb\nc\nd\n", "0\na\nb\nc\n", "0\na\nb\nc\nd\n"),
        Example("a\nb\nc\n", "b\nc\n", "a\nb\n", "b\n"),
        Example("a\nb\nc", "a\nb\nC", "A\nb\nc", "A\nb\nC"),
        // One after the other, at the same place, and in the same line.
        Example("a\nb\n", "A\nb\n", "a\nB\n", nil), Example("a\nb\n", "a\n1\nb\n", "a\n2\nb\n", nil),
        Example("a\nb\n", "A\nb\n", "a\n1\nb\n", nil), Example("a\n", "b\n", "c\n", nil),
        Example("a\nb\nc\n", "a\nc\n", "a\nB\nc\n", nil), Example("", "a\n", "b\n", nil),
        Example("a\n", "a", "a\nb\n", nil),
        // The same change, made by both.
        Example("a\nb\nc\n", "A\nb\nc\n", "A\nb\nC\n", "A\nb\nC\n"), Example("", "a\n", "a\n", "a\n"),
        Example("a\nb\nc\nd\n", "a\nd\n", "a\nd\ne\n", "a\nd\ne\n"),
        Example("a\nb\nc\nd\n", "a\nd\n", "a\nd\n", "a\nd\n"),
        Example("a\n", "", "a\n", ""), Example("a\n", "", "", ""), Example("", "", "", ""),
        // The end of a line belongs to it.
        Example("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n"),
    ]

    @Test("V6: changes that do not touch are merged, and others are not", arguments: examples)
    private func merges(_ example: Example) {
        #expect(Self.merge(example.base, example.one, example.other) == example.merged)
        #expect(Self.merge(example.base, example.other, example.one) == example.merged)
    }

    @Test("V6: only texts are merged: UTF-8 without NUL, and not too large")
    func texts() {
        #expect(LineMerge.isText([]) && LineMerge.isText(Array("a\nä\n".utf8)))
        #expect(!LineMerge.isText([0x61, 0]) && !LineMerge.isText([0xFF]))
        let most = [UInt8](repeating: 0x61, count: LineMerge.mostBytes)
        #expect(LineMerge.isText(most) && !LineMerge.isText(most + [0x61]))
    }

    @Test("V6: texts that differ in too many lines are not merged, and that takes no long time")
    func different() {
        func text(_ lines: Range<Int>) -> [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }
        let base = text(0..<50_000)
        #expect(LineMerge.merge(base: base, text(100_000..<150_000), base) == nil)
        let few = text(0..<49_000)
        #expect(LineMerge.merge(base: base, few, base) == few)
    }

    /// Numbers that follow from a seed.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static func longestCommon(_ one: [Int32], _ other: [Int32]) -> Int {
        var row = [Int](repeating: 0, count: other.count + 1)
        for line in one {
            var diagonal = 0
            for (index, candidate) in other.enumerated() {
                let above = row[index + 1]
                row[index + 1] = line == candidate ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[other.count]
    }

    @Test("V6: the changes between two texts lead from one to the other, and are the fewest")
    func changes() throws {
        var random = Seeded(state: 17)
        for _ in 0..<3000 {
            let kinds = Int32.random(in: 1...5, using: &random)
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in Int32.random(in: 0..<kinds, using: &random) }
            }
            let (base, side) = (texts[0], texts[1])
            let found = try #require(LineChanges.find(from: base, to: side, most: 100))
            var (made, position, last) = ([Int32](), 0, -1)
            for change in found {
                #expect(change.base.lowerBound > last && !(change.base.isEmpty && change.side.isEmpty))
                made += base[position..<change.base.lowerBound] + side[change.side]
                position = change.base.upperBound
                last = position
            }
            #expect(made + base[position...] == side, "\(base) \(side)")
            let cost = found.reduce(0) { $0 + $1.base.count + $1.side.count }
            #expect(cost == base.count + side.count - 2 * Self.longestCommon(base, side), "\(base) \(side)")
            #expect(cost == 0 || LineChanges.find(from: base, to: side, most: cost - 1) == nil)
        }
    }

    @Test("V6: a merge loses nothing that only one side added, and does not depend on which side is which")
    func properties() {
        var random = Seeded(state: 4)
        var merges = 0
        for round in 0..<3000 {
            let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                String(Int.random(in: 0..<6, using: &random))
            }
            var added: [String] = []
            func edit() -> [String] {
                var edited = lines
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let place = Int.random(in: 0...edited.count, using: &random)
                    let new = "new\(added.count)"
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: edited.insert(new, at: place)
                    case 1 where place < edited.count: edited[place] = new
                    case 2 where place < edited.count: edited.remove(at: place)
                    default: break
                    }
                    added.append(new)
                }
                return edited
            }
            func text(_ lines: [String]) -> [UInt8] {
                Array((lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")).utf8)
            }
            let sides = [edit(), edit()]
            let (base, one, other) = (text(lines), text(sides[0]), text(sides[1]))
            let merged = LineMerge.merge(base: base, one, other)
            #expect(merged == LineMerge.merge(base: base, other, one), "round \(round)")
            #expect(LineMerge.merge(base: base, base, other) == other && LineMerge.merge(base: base, one, base) == one)
            #expect(LineMerge.merge(base: base, one, one) == one)
            guard let merged else { continue }
            merges += 1
            let found = String(decoding: merged, as: UTF8.self).split(separator: "\n").map(String.init)
            for line in sides.joined() where line.hasPrefix("new") {
                #expect(found.filter { $0 == line }.count == 1, "round \(round): \(line)")
            }
        }
        #expect(merges > 1000)
    }
}
