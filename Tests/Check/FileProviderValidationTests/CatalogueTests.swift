import FileProviderValidation
import Testing

/// The list of cases (7.2).
struct CatalogueTests {
    @Test("7.2: every case has a name of its own, a level, a requirement and a sentence")
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

    @Test("7.2: each number of a requirement has its rule, and a report tells it")
    func rules() throws {
        for number in Set(ValidationCase.all.flatMap(\.requirements)) {
            #expect(RequirementRules.rule(of: number)?.isEmpty == false, "\(number)")
        }
        let testCase = try #require(ValidationCase.all.first)
        var result = CaseResult(testCase, .failed)
        result.findings = [Finding(did: "a", expected: "b", got: "c", requirement: "F2, W8")]
        let text = ValidationReport.lines(of: result).joined(separator: "\n")
        for number in ["F2", "W8"] {
            let rule = try #require(RequirementRules.rule(of: number))
            #expect(text.contains("\(number): \(rule)"))
        }
    }

    @Test("7.2: a higher level has all cases of a lower one, and a filter those whose name matches")
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

    @Test("7.2: an expression that is none is an error")
    func badFilter() {
        #expect(throws: (any Error).self) { try ValidationCase.selected(level: 5, filter: "(") }
    }
}
