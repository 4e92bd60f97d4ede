import Records
import Testing

@Suite struct ByteRangesTests {
    private static func made(_ text: String) throws -> ByteRanges { try #require(ByteRanges(text: text)) }

    @Test(
        arguments: [
            ("", 0..<10, "0-10"), ("0-10", 10..<20, "0-20"), ("10-20", 0..<10, "0-20"), ("0-10", 20..<30, "0-10,20-30"),
            ("0-10,20-30", 10..<20, "0-30"), ("0-10,20-30,40-50", 5..<45, "0-50"),
            ("0-10,20-30", 12..<15, "0-10,12-15,20-30"),
            ("5-6", 7..<7, "5-6"), ("5-6", -4..<2, "0-2,5-6"), ("0-100", 10..<20, "0-100"),
            ("10-20", 30..<40, "10-20,30-40"),
        ] as [(String, Range<Int64>, String)])
    func joinsWhatOverlapsOrTouches(before: String, added: Range<Int64>, after: String) throws {
        var ranges = try Self.made(before)
        ranges.insert(added)
        #expect(ranges.text == after)
    }

    @Test(
        arguments: [
            ("", 0..<10, [0..<10]), ("0-10", 0..<10, []), ("0-10", 2..<8, []), ("2-4", 0..<6, [0..<2, 4..<6]),
            ("0-2,4-6", 1..<8, [2..<4, 6..<8]), ("0-2,4-6", 2..<4, [2..<4]), ("0-2,4-6", 3..<3, []),
            ("4-6", 6..<9, [6..<9]),
            ("4-6", 0..<4, [0..<4]),
        ] as [(String, Range<Int64>, [Range<Int64>])])
    func findsWhatIsMissing(here: String, asked: Range<Int64>, missing: [Range<Int64>]) throws {
        let ranges = try Self.made(here)
        #expect(ranges.missing(in: asked) == missing)
        #expect(ranges.contains(asked) == missing.isEmpty)
    }

    @Test(arguments: [
        "1", "-", "1-", "5-5", "6-5", "0-5,5-8", "0-5,3-8", "5-8,0-2", "-1-4", "0-5,", "a-b", "0-99999999999999999999",
    ])
    func refusesOtherTexts(text: String) { #expect(ByteRanges(text: text) == nil) }

    @Test func countsItsBytesAndItsPrefix() throws {
        #expect(try Self.made("0-10,20-25").count == 15)
        #expect(try Self.made("0-10,20-25").prefix == 10)
        #expect(try Self.made("1-10").prefix == 0)
        #expect(ByteRanges().prefix == 0)
    }

    // Compared with one flag for each byte.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func agreesWithAFlagForEachByte(seed: UInt64) throws {
        var random = Stepping(state: seed &+ 1)
        var (ranges, flags) = (ByteRanges(), [Bool](repeating: false, count: 200))
        for _ in 0..<60 {
            let lower = Int64.random(in: 0..<200, using: &random)
            let upper = Int64.random(in: lower...200, using: &random)
            if Bool.random(using: &random) {
                ranges.insert(lower..<upper)
                for index in lower..<upper { flags[Int(index)] = true }
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                ranges.remove(lower..<upper)
                for index in lower..<upper { flags[Int(index)] = false }
            }
            let asked = lower..<upper
            var missing = ByteRanges()
            for index in asked where !flags[Int(index)] { missing.insert(index..<index + 1) }
            #expect(ranges.missing(in: asked) == missing.ranges)
            #expect(ranges.count == Int64(flags.count { $0 }))
            #expect(ByteRanges(text: ranges.text) == ranges)
        }
    }
}

private struct Stepping: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
