import Foundation
import Testing

/// Every number that the tree cites is defined in docs/requirements.md.
struct CitationTests {
    @Test("every number that a comment, the name of a test or a page cites is defined")
    func defined() throws {
        let numbers = try RequirementPage().numbers
        var found: Set<String> = []
        for path in try Self.paths() {
            for (line, citations) in try Self.citations(in: path) {
                found.formUnion(citations)
                for number in citations where !numbers.contains(number) {
                    Issue.record("\(path):\(line) cites \(number), which docs/requirements.md does not define")
                }
            }
        }
        #expect(found.count > 200)
    }

    @Test("no name of a test cites an issue")
    func issues() throws {
        for path in try Tree.files(below: ["Tests"], endings: [".swift"]) {
            for (line, name) in try Self.names(in: path) {
                let text = name.lowercased()
                #expect(text.firstMatch(of: /\bissue \d/) == nil, "\(path):\(line): \(name)")
            }
        }
    }

    @Test(
        "citations are recognised in all their forms",
        arguments: [
            ("frees the slot (T4).", ["T4"]), ("see (B6, X2)", ["B6", "X2"]), ("(M4, 2.4)", ["M4", "2.4"]),
            ("C1-C5, X1-X3", ["C1", "C5", "X1", "X3"]), ("law 5 and law 6", ["law 5", "law 6"]),
            ("Complaints 9, 27; others", ["complaint 9", "complaint 27"]), ("(SEMANTICS 2.3 to 2.9)", ["2.3", "2.9"]),
            ("HAZARDS 2 to 4, W9", ["hazard 2", "hazard 4", "W9"]), ("(2.9, deadlock 5)", ["deadlock 5", "2.9"]),
            ("UTF8 \u{1B}P0;1, caf\\u{E9}, %C3, A1.txt, Linux 6.12, (OAuth 2.0), (about 2.5 s), G0", []),
        ])
    func forms(_ text: String, _ expected: [String]) {
        #expect(CitationScanner(text.utf8).citations == Set(expected))
    }

    @Test(
        "only numbers before a colon at the beginning of a test's name count",
        arguments: [
            ("A5: a picker", ["A5"]), ("2.9 deadlock 3, 7.4.1: it", ["2.9 deadlock 3", "7.4.1"]), ("26: it", ["26"]),
            ("200 clients: it", []), ("a picker", []), ("3 without a right", []),
        ])
    func leading(_ name: String, _ expected: [String]) { #expect(CitationList.leading(name) == expected) }

    private static func paths() throws -> [String] {
        try Tree.files(
            below: ["Sources", "Plugins", "Tests", "Benchmarks/Sources", "docs", "Examples", "Scripts", "Templates"],
            endings: [".swift", ".c", ".h", ".varlink", ".md", ".py", ".sh"]
        ).filter { $0 != RequirementPage.path && !$0.hasPrefix("Tests/Check/RequirementTests/") } + ["CONTRIBUTING.md"]
    }

    /// The citations in each line of a file.
    private static func citations(in path: String) throws -> [(Int, Set<String>)] {
        guard [".swift", ".c", ".h"].contains(where: path.hasSuffix) else {
            return try Tree.lines(path).enumerated().map { ($0 + 1, CitationScanner($1).citations) }
        }
        let comments = SourceLines(try Tree.data(path)).comments.map { ($0.line, CitationScanner($0.text).citations) }
        guard path.hasPrefix("Tests/") else { return comments }
        return comments
            + (try names(in: path).map { line, name in
                let bare = CitationList.leading(name).filter { CitationList.isSection($0) || Int($0) != nil }
                return (line, CitationScanner(name.utf8).citations.union(bare))
            })
    }

    /// The names of the tests of a file.
    private static func names(in path: String) throws -> [(Int, String)] {
        var result: [(Int, String)] = []
        var isNext = false
        for (index, line) in try Tree.lines(path).enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            if let start = ["@Test(\"", "@Suite(\""].compactMap({ text.firstRange(of: $0)?.upperBound }).first {
                result.append((index + 1, String(text[start...].prefix { $0 != "\"" })))
            } else if isNext, text.hasPrefix("\"") {
                result.append((index + 1, String(text.dropFirst().prefix { $0 != "\"" })))
            }
            isNext = text.hasSuffix("@Test(") || text.hasSuffix("@Suite(")
        }
        return result
    }
}
