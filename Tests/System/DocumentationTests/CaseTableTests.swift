import DocentTestSupport
import ExtensionValidation
import FileProviderValidation
import Foundation
import Testing

/// docs/validator.md lists the cases that there are.
@Suite(.needs(.programs)) struct CaseTableTests {
    private static let all = ValidationCase.all + SandboxCases.all + DaemonCases.all

    /// A table of cases as docs/validator.md must have it.
    static func table(of cases: [ValidationCase]) -> String {
        let rows = cases.map { testCase in
            let needs = testCase.neededFeatures + abilities(testCase.abilities).map { "+ \($0)" }
            let summary = testCase.summary.replacing("|", with: "\\|")
            return "| `\(testCase.name)` | \(testCase.level) | \(needs.joined(separator: ", ")) | \(summary) | "
                + "\(testCase.requirements.joined(separator: ", ")) |\n"
        }
        return "| case | level | needs | what is expected | required |\n|---|---|---|---|---|\n" + rows.joined()
    }

    /// What the transport has to be able to do, in words.
    private static func abilities(_ abilities: TransportAbilities) -> [String] {
        let words: [(TransportAbilities, String)] = [
            (.kill, "kill"), (.restart, "restart"), (.measure, "measure"), (.sandbox, "sandbox"), (.direct, "direct"),
            (.lifeCycle, "life cycle"),
        ]
        return words.filter { abilities.contains($0.0) }.map(\.1)
    }

    /// Compares what stands between two marks.
    static func compare(_ cases: [ValidationCase], mark: String) throws {
        let text = try DocumentationTree.text("docs/validator.md")
        let start = try #require(text.firstRange(of: "<!-- \(mark): begin -->\n"))
        let end = try #require(text[start.upperBound...].firstRange(of: "<!-- \(mark): end -->"))
        let isSame = String(text[start.upperBound..<end.lowerBound]) == table(of: cases)
        #expect(isSame, "put this between the marks “\(mark)” of docs/validator.md:\n\(table(of: cases))")
    }

    @Test("7.6: docs/validator.md lists exactly the cases that there are")
    func cases() throws {
        try Self.compare(ValidationCase.all, mark: "cases")
        try Self.compare(SandboxCases.all, mark: "sandbox cases")
        try Self.compare(DaemonCases.all, mark: "daemon cases")
    }

    @Test("7.2: docs/validator.md says of the number of each requirement what it means, and has no other")
    func requirements() throws {
        let text = try DocumentationTree.text("docs/validator.md")
        let start = try #require(text.firstRange(of: "## The numbers of requirements\n"))
        let rows = text[start.upperBound...].split(separator: "\n## ", maxSplits: 1)[0].split(separator: "\n")
        let explained = rows.filter { $0.hasPrefix("| ") }.dropFirst().flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        var used: Set<String> = []
        let folders = [
            "Sources/FileProviderValidation", "Sources/ExtensionValidation", "Sources/docent-provider-validator",
        ]
        for file in try folders.flatMap({ try DocumentationTree.files(below: $0, ending: ".swift") }) {
            for match in try DocumentationTree.text(file).matches(of: /requirements?: (\[[^\]]*\]|"[^"]*")/) {
                used.formUnion(match.1.matches(of: /"([^"]*)"/).map { String($0.1) })
            }
        }
        for row in rows.filter({ $0.hasPrefix("| ") }).dropFirst() {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for number in cells[0].split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                let rule = try #require(RequirementRules.rule(of: number), "\(number)")
                #expect(cells[1] == rule, "\(number): \(rule)")
            }
        }
        #expect(used.count > 20)
        #expect(explained.sorted() == used.sorted())
    }

    @Test("7.6: every case says in one sentence what is expected, and has a number")
    func summaries() {
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
        for testCase in Self.all {
            #expect(testCase.summary.hasSuffix(".") && !testCase.summary.contains("\n"), "\(testCase.name)")
            #expect(!testCase.requirements.isEmpty, "\(testCase.name)")
            #expect(testCase.name.wholeMatch(of: /[a-z]+[A-Za-z]*\.[a-z][A-Za-z]*/) != nil, "\(testCase.name)")
            #expect((1...10).contains(testCase.level), "\(testCase.name)")
        }
    }
}
