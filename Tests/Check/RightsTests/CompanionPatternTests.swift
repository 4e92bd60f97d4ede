import Foundation
import Testing

@testable import Rights

/// Names beside a document.
@Suite struct CompanionPatternTests {
    @Test(
        "a pattern covers exactly the names that it matches",
        arguments: [
            ("{stem}.srt", "movie.srt", "movie.mkv", true), ("{stem}.srt", "movie.mkv.srt", "movie.mkv", false),
            ("{stem}.srt", "other.srt", "movie.mkv", false), ("{stem}.srt", "movie.SRT", "movie.mkv", false),
            ("{stem}.*", "movie.de.srt", "movie.mkv", true), ("{stem}.*", "movie", "movie.mkv", false),
            ("{stem}*", "movie", "movie.mkv", true), ("*.srt", "any.thing.srt", "movie.mkv", true),
            ("*.srt", ".srt", "movie.mkv", true), ("*.srt", "srt", "movie.mkv", false),
            ("cover?.jpg", "cover1.jpg", "movie.mkv", true), ("cover?.jpg", "cover.jpg", "movie.mkv", false),
            ("cover?.jpg", "coverä.jpg", "movie.mkv", true), ("a*b*c", "aXbYbZc", "m", true),
            ("a*b*c", "aXbYbZ", "m", false), ("{stem}{stem}", "mm", "m.x", true),
            // Only the last extension is removed; a name that begins with a dot has none.
            ("{stem}.txt", "a.tar.txt", "a.tar.gz", true), ("{stem}.bak", ".profile.bak", ".profile", true),
            // A star in the document's own name is not a wildcard.
            ("{stem}.srt", "a*b.srt", "a*b.mkv", true), ("{stem}.srt", "aXb.srt", "a*b.mkv", false),
            ("{stem}.srt", "{stem}.srt", "movie.mkv", false), ("{stem}.srt", "", "movie.mkv", false),
            ("a{stem", "a{stem", "movie.mkv", true),
            // Composed or decomposed: two names that look the same are two names.
            ("\u{E9}.srt", "e\u{301}.srt", "movie.mkv", false), ("\u{E9}.srt", "\u{E9}.srt", "movie.mkv", true),
        ])
    func covers(pattern: String, name: String, document: String, expected: Bool) throws {
        #expect(try CompanionPattern(pattern).matches(name, beside: document) == expected)
    }

    @Test(
        "a text that would cover a whole folder, or lead out of it, is no pattern",
        arguments: [
            "", "*", "**", "?*", "*.*", "..", ".", "a/b", "{stem}/x", "a\u{0}b", "a\nb",
            String(repeating: "a", count: 129),
        ])
    func refuses(text: String) {
        #expect(throws: CompanionPattern.Fault.self) { try CompanionPattern(text) }
    }

    @Test("at most 8 patterns are offered at once, each once")
    func lists() throws {
        #expect(try CompanionPattern.list(["a", "b", "a"]).map(\.text) == ["a", "b"])
        #expect(throws: CompanionPattern.Fault.tooMany(9)) { try CompanionPattern.list((0..<9).map { "p\($0)" }) }
    }

    @Test("a long pattern of stars is matched quickly")
    func stars() throws {
        let pattern = try CompanionPattern(String(repeating: "*a", count: 60) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 255), beside: "m"))
    }

    @Test("a damaged column covers nothing")
    func columns() throws {
        let patterns = try CompanionPattern.list(["{stem}.srt", "*.ass"])
        #expect(CompanionPattern.read(try #require(try CompanionPattern.column(patterns))) == patterns)
        #expect(try CompanionPattern.column([]) == nil)
        #expect(CompanionPattern.read("[\"*\",\"ok.txt\"]").map(\.text) == ["ok.txt"])
        #expect(CompanionPattern.read("nonsense").isEmpty)
    }
}
