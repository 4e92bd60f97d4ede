import FoundationEssentials
import Records
import Testing

/// The query language of searches (K2): pure, and total.
@Suite struct SearchQueryTests {
    private static let now = Date(timeIntervalSince1970: 1_717_171_717)

    private static func parse(_ text: String) -> SearchQueryParser.Outcome { SearchQueryParser.parse(text, now: now) }

    private static func query(_ text: String) throws -> SearchQuery {
        let outcome = parse(text)
        try #require(outcome.problems.isEmpty, "\(outcome.problems)")
        return outcome.query
    }

    @Test("K2: words, phrases, exclusions and words of the name alone")
    func words() throws {
        #expect(
            try Self.query(#"Invoice "two Words" -draft -"not these" name:own -name:"other one""#).words == [
                .init("invoice"), .init("two words"), .init("draft", isExcluded: true),
                .init("not these", isExcluded: true), .init("own", isInName: true),
                .init("other one", isExcluded: true, isInName: true),
            ])
    }

    @Test("K2: nothing, spaces, marks alone and unfinished quotes are no error")
    func total() throws {
        for text in ["", "   ", "-", "--", "\"", "\"\"", "...", "- -", "name:", "-name:", "\u{301}"] {
            #expect(try Self.query(text).words.isEmpty, "\(text)")
        }
        #expect(try Self.query("\"open end").words == [.init("open end")])
        #expect(try Self.query(#""a \"b\" \\ c\d""#).words == [.init("a b c d")])
        #expect(try Self.query("9:30 http://x C:\\x").words.map(\.text) == ["9 30", "http x", "c x"])
    }

    @Test("K2: conditions are read, and their opposites")
    func conditions() throws {
        let query = try Self.query(
            "type:public.image -type:public.png state:cloud -state:pinned newer:2024-05-31 older:2025 larger:10kB "
                + "smaller:1MiB")
        #expect(query.types == [.init("public.image"), .init("public.png", isExcluded: true)])
        #expect(query.states == [.init(.cloud), .init(.pinned, isExcluded: true)])
        #expect(query.newest == 1_717_113_600 && query.oldest == 1_735_689_600)
        #expect(query.smallest == 10_000 && query.largest == 1_048_576)
        #expect(try Self.query("-newer:2024").oldest == 1_704_067_200)
        #expect(try Self.query("TYPE:public.data").types == [.init("public.data")])
    }

    @Test(
        "K2: a condition that cannot be understood is reported",
        arguments: [
            "newer:never", "newer:2024-13-01", "newer:2023-02-29", "older:0", "newer:24-01-01", "larger:big",
            "larger:-1", "larger:1.2.3", "larger:99999999999999TB", "state:gone", "type:", "type:a/b", "type:\"a b\"",
            "newer:2024-05-31T25:00", "newer:9999999999d",
        ])
    func problems(text: String) { #expect(Self.parse(text).problems.count == 1, "\(text)") }

    @Test(
        "K2: times",
        arguments: [
            ("2024", 1_704_067_200.0), ("2024-02", 1_706_745_600), ("2024-02-29", 1_709_164_800),
            ("2024-05-31T08:30:15Z", 1_717_144_215), ("2024-05-31T08:30", 1_717_144_200), ("1970-01-01", 0.0),
            ("0001-01-01", -62_135_596_800), ("7d", 1_716_566_917), ("90s", 1_717_171_627),
            ("today", 1_717_113_600), ("yesterday", 1_717_027_200),
        ] as [(String, Double)])
    func moments(text: String, seconds: Double) {
        #expect(SearchMoment.parse(text, now: Self.now.timeIntervalSince1970) == seconds)
    }

    @Test("K2: the work grows with the text alone, and both are limited")
    func limits() {
        #expect(Self.parse(String(repeating: "a", count: 5000)).problems.count == 1)
        #expect(Self.parse(Array(repeating: "a", count: 40).joined(separator: " ")).problems.count == 1)
        // What makes regular expressions explode is only text here.
        let bomb = "(a+)+$ " + String(repeating: "a", count: 2000) + "! .*.*.*.*.*"
        #expect(Self.parse(bomb).query.words.map(\.text.utf8.count).max() ?? 0 <= 2000)
    }

    @Test("any sequence of scalars is read without a trap")
    func anything() {
        var random = Seeded(state: 7)
        let alphabet = Array("ab -:\"\\.\u{301}\u{0}\u{FFFF}京é\u{1F600}newer:type:").map(String.init)
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? ""
            }.joined()
            let outcome = Self.parse(text)
            #expect(outcome.query.words.allSatisfy { !$0.text.isEmpty && !$0.text.hasPrefix(" ") })
        }
    }
}

struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
