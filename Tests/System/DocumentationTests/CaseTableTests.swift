import DocentTestSupport
import ExtensionValidation
import FileProviderValidation
import Foundation
import Testing

/// docs/providers/validator.md lists the existing cases.
@Suite(.needs(.programs)) struct CaseTableTests {
    private static let all = ValidationCase.all + SandboxCases.all + DaemonCases.all

    /// The table of cases that docs/providers/validator.md must contain.
    static func table(of cases: [ValidationCase]) -> String {
        let rows = cases.map { testCase in
            let needs =
                testCase.neededFeatures + abilities(testCase.abilities).map { "+ \($0)" }
                + testCase.service.names.map { "~ \($0)" }
            let summary = testCase.summary.replacing("|", with: "\\|")
            return "| `\(testCase.name)` | \(testCase.level) | \(needs.joined(separator: ", ")) | \(summary) |\n"
        }
        return "| case | level | needs | what is expected |\n|---|---|---|---|\n" + rows.joined()
    }

    /// The required abilities of the transport, as text.
    private static func abilities(_ abilities: TransportAbilities) -> [String] {
        let words: [(TransportAbilities, String)] = [
            (.kill, "kill"), (.restart, "restart"), (.measure, "measure"), (.sandbox, "sandbox"), (.direct, "direct"),
            (.lifeCycle, "life cycle"),
        ]
        return words.filter { abilities.contains($0.0) }.map(\.1)
    }

    /// Compares the text between two marks.
    static func compare(_ cases: [ValidationCase], mark: String) throws {
        let text = try DocumentationTree.text("docs/providers/validator.md")
        let start = try #require(text.firstRange(of: "<!-- \(mark): begin -->\n"))
        let end = try #require(text[start.upperBound...].firstRange(of: "<!-- \(mark): end -->"))
        let isSame = String(text[start.upperBound..<end.lowerBound]) == table(of: cases)
        #expect(isSame, "put this between the marks \"\(mark)\" of docs/providers/validator.md:\n\(table(of: cases))")
    }

    @Test("docs/providers/validator.md lists exactly the existing cases")
    func cases() throws {
        try Self.compare(ValidationCase.all, mark: "cases")
        try Self.compare(SandboxCases.all, mark: "sandbox cases")
        try Self.compare(DaemonCases.all, mark: "daemon cases")
    }

    @Test("docs/providers/validator.md lists exactly the requirements of the cases")
    func requirements() throws {
        let text = try DocumentationTree.text("docs/providers/validator.md")
        let start = try #require(text.firstRange(of: "## What is required of a provider\n"))
        let section = text[start.upperBound...].split(separator: "\n## ", maxSplits: 1)[0]
        let listed = section.split(separator: "\n").filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
        #expect(listed == ProviderRequirement.allCases.map { "\($0.rawValue)." })
        var used: Set<String> = []
        let folders = [
            "Sources/FileProviderValidation", "Sources/ExtensionValidation", "Sources/docent-provider-validator",
        ]
        for file in try folders.flatMap({ try DocumentationTree.files(below: $0, ending: ".swift") }) {
            for match in try DocumentationTree.text(file).matches(of: /requirements?: (\[[^\]]*\]|\.\w+)/) {
                used.formUnion(match.1.matches(of: /\.(\w+)/).map { String($0.1) })
            }
        }
        #expect(used == Set(ProviderRequirement.allCases.map { "\($0)" }))
    }

    @Test("every case states its expectation in one sentence and has a number")
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
