import Foundation
import Testing

/// Numbers of requirements are for contributors: no user ever reads one.
struct UserTextTests {
    @Test("no string literal of a program, a library or a plugin contains the number of a requirement")
    func literals() throws {
        var count = 0
        for path in try Tree.files(below: ["Sources", "Plugins"], endings: [".swift", ".c", ".h"]) {
            for literal in SourceLines(try Tree.data(path)).literals {
                count += 1
                Self.refuse(literal.text, path, literal.line)
            }
        }
        #expect(count > 5_000)
    }

    @Test("no page for users, article, template or served interface contains the number of a requirement")
    func pages() throws {
        let contributing = ["modules", "technical-overview", "testing"]
        let internals = [RequirementPage.path] + contributing.map { "docs/contributing/\($0).md" }
        let pages =
            try Tree.files(below: ["docs"], endings: [".md", ".1", ".5", ".7", ".8"]).filter { !internals.contains($0) }
            + Tree.files(below: ["Sources"], endings: [".varlink", ".md", ".tutorial"])
            + Tree.files(below: ["Examples"], endings: [".md"])
            + Tree.files(below: ["Templates"], endings: [".md", ".swift", ".c", ".h", ".rs", ".plist", ".toml"])
            + ["README.md", "CHANGELOG.md", "SECURITY.md"]
        #expect(pages.count > 40)
        for page in pages {
            for (index, line) in try Tree.lines(page).enumerated() { Self.refuse(line, page, index + 1) }
        }
    }

    @Test(
        "a number is found in any form in a text",
        arguments: [
            ("It has 64 claims already (T4).", ["T4"]), ("**T1. Descriptors", ["T1"]),
            ("fall back to (law 8).", ["law 8"]),
            ("Set it once (2.7).", ["2.7"]), ("The picker broke rule C5: no", ["C5"]), ("Off again (S3).", ["S3"]),
            ("| `a.b` | 2 | A document. | F2, complaint 18 |", ["F2", "complaint 18"]),
            ("the S3 server and X11", []), ("(S3, Google Cloud Storage)", []), ("OAuth 2.0, (before Linux 6.12)", []),
        ])
    func forms(_ text: String, _ expected: [String]) {
        #expect(CitationScanner(text.utf8).forbidden == Set(expected))
    }

    @Test("literals and comments on a line are distinguished")
    func lines() {
        let source = SourceLines(
            Data(
                #"""
                let a = "one \"two\" (T4)" + "three" // four "five"
                let b = """
                    six // seven
                    """ // eight
                """#.utf8))
        let texts = source.literals.map {
            String(decoding: $0.text, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        #expect(texts.filter { !$0.isEmpty } == [#"one \"two\" (T4)"#, "three", "six // seven"])
        #expect(source.comments.map { String(decoding: $0.text, as: UTF8.self) } == ["// four \"five\"", "// eight"])
    }

    private static func refuse(_ text: some Sequence<UInt8>, _ path: String, _ line: Int) {
        for number in CitationScanner(text).forbidden {
            Issue.record("\(path):\(line) shows the number \(number) to users; say what it means instead")
        }
    }
}
