import FileProviderValidation
import Testing

/// The list of cases.
struct CatalogueTests {
    @Test("every case has a unique name, a level, a requirement and a sentence")
    func wellFormed() {
        var names: Set<String> = []
        for testCase in ValidationCase.all {
            #expect(names.insert(testCase.name).inserted, "\(testCase.name) twice")
            #expect((1...10).contains(testCase.level), "\(testCase.name)")
            #expect(!testCase.requirements.isEmpty, "\(testCase.name)")
            #expect(testCase.name.wholeMatch(of: /[a-z][A-Za-z]*\.[a-z][A-Za-z]*/) != nil, "\(testCase.name)")
            #expect(testCase.summary.hasSuffix(".") && testCase.summary.count > 20, "\(testCase.name)")
        }
    }

    @Test("a report states each requirement in a sentence, without its number")
    func sentences() throws {
        let testCase = try #require(ValidationCase.all.first)
        for requirement in ProviderRequirement.allCases {
            #expect(requirement.rawValue.contains(" ") && !requirement.rawValue.hasSuffix("."))
            var result = CaseResult(testCase, .failed)
            result.findings = [Finding(did: "a", expected: "b", got: "c", requirement: requirement)]
            let lines = ValidationReport.lines(of: result)
            #expect(lines.contains("    required: \(requirement.rawValue)"), "\(lines)")
        }
    }

    @Test("a higher level has all cases of a lower one, and a filter selects cases by name")
    func selection() throws {
        for level in 1..<10 {
            let lower = try ValidationCase.selected(level: level).map(\.name)
            let higher = Set(try ValidationCase.selected(level: level + 1).map(\.name))
            #expect(lower.allSatisfy(higher.contains))
        }
        #expect(try ValidationCase.selected(level: 10).count == ValidationCase.all.count)
        let reading = try ValidationCase.selected(level: 10, filter: "^reading\\.")
        #expect(!reading.isEmpty)
        #expect(reading.allSatisfy { $0.group == "reading" })
        #expect(try ValidationCase.selected(level: 10, filter: "no case has this name").isEmpty)
    }

    @Test("an invalid expression is an error")
    func badFilter() {
        #expect(throws: (any Error).self) { try ValidationCase.selected(level: 5, filter: "(") }
    }
}
