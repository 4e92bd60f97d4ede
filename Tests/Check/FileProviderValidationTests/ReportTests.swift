import FileProviderValidation
import Foundation
import FoundationXML
import Testing

/// The report in its three forms, with hostile texts from a provider.
struct ReportTests {
    private static let hostile = "a<b>&\"'\u{0}\u{1B}[2J\r\n]]>\u{FFFE}\u{202E}日本\u{7F}"

    private static func testCase(_ name: String) -> ValidationCase {
        ValidationCase(name, level: 1, requirements: [.interface], "A sample of a case.") { _ in }
    }

    private static func report() -> ValidationReport {
        var report = ValidationReport(provider: "org.example.\(hostile)", transport: "process", level: 5, seed: 42)
        report.add(CaseResult(testCase("reading.good"), .passed))
        var failed = CaseResult(testCase("reading.bad"), .failed)
        failed.findings = [
            Finding(did: "Fetch of \(hostile)", expected: "bytes", got: hostile, requirement: .interface),
            Finding(did: "second", expected: "another", got: "none", requirement: .identity),
        ]
        failed.output = "line one\nline \(hostile)"
        report.add(failed, repeating: "docent provider validate X --filter '^reading.bad$' --seed 42")
        var skipped = CaseResult(testCase("names.skipped"), .skipped)
        skipped.reason = "the provider does not declare write"
        report.add(skipped)
        var crashed = CaseResult(testCase("names.crashed"), .crashed)
        crashed.reason = "was ended by the signal 11"
        crashed.lastStep = hostile
        report.add(crashed)
        report.add(CaseResult(testCase("kill.late"), .timedOut))
        report.seconds = 1.5
        return report
    }

    @Test("the text shows for each misbehaviour what was done, expected, got and required, and how to reproduce it")
    func text() {
        let text = Self.report().text
        for part in [
            "FAILED: reading.bad", "did:      second", "expected: another", "got:      none", "required: An identifier",
            "again: docent provider validate X --filter '^reading.bad$' --seed 42", "CRASHED: names.crashed",
            "was ended by the signal 11", "TIMED OUT: kill.late",
            "skipped: names.skipped: the provider does not declare write",
            "1 passed, 1 failed, 1 skipped, 1 crashed, 1 timed out", "seed 42",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("a repeated finding is shown once, and only the first of very many findings are shown")
    func folds() {
        var result = CaseResult(Self.testCase("errors.many"), .failed)
        let first = Finding(did: "the same again", expected: "one", got: "two", requirement: .interface)
        result.findings = [first, first, first]
        let once = ValidationReport.lines(of: result).filter { $0.contains("the same again") }
        #expect(once.count == 1)
        #expect(once.first?.hasSuffix("(3 times)") == true)
        result.findings = (0..<20).map {
            Finding(did: "call \($0)", expected: "one", got: "two", requirement: .interface)
        }
        let lines = ValidationReport.lines(of: result)
        #expect(lines.count { $0.contains("did:") } == 8)
        #expect(lines.contains { $0.contains("and 12 more findings") })
    }

    @Test("no control character of a provider reaches the text")
    func textIsPlain() {
        for scalar in Self.report().text.unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E, "U+\(scalar.value)")
        }
    }

    @Test("the JUnit form is well formed whatever the provider sent, and its counts are right")
    func junit() throws {
        let counter = ElementCounter()
        let parser = XMLParser(data: Data(Self.report().junit.utf8))
        parser.delegate = counter
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(
            counter.counts == ["testsuites": 1, "testsuite": 3, "testcase": 5, "failure": 1, "skipped": 1, "error": 2])
        let suites = try #require(counter.attributes["testsuites"])
        #expect(suites["tests"] == "5")
        #expect(suites["failures"] == "1")
        #expect(suites["errors"] == "2")
        #expect(suites["skipped"] == "1")
    }

    @Test("the JSON form can be decoded, and contains every finding unchanged")
    func json() throws {
        struct Document: Decodable {
            struct Case: Decodable {
                var name: String
                var outcome: String
                var findings: [Finding]
                var again: String?
            }
            var provider: String
            var seed: UInt64
            var passed: Bool
            var counts: [String: Int]
            var cases: [Case]
        }
        let report = Self.report()
        let document = try JSONDecoder().decode(Document.self, from: Data(report.json.utf8))
        #expect(document.provider == report.provider)
        #expect(document.seed == 42)
        #expect(!document.passed)
        #expect(
            document.counts == ["passed": 1, "failed": 1, "skipped": 1, "crashed": 1, "timedOut": 1, "notTried": 0])
        #expect(document.cases.map(\.name) == report.results.map(\.name))
        #expect(document.cases[1].findings == report.results[1].findings)
        #expect(document.cases[1].again?.contains("--seed 42") == true)
    }

    @Test("a case that was not tried neither passes nor fails, and every form says which option it needs")
    func notTried() {
        var report = ValidationReport(provider: "p", transport: "process", level: 1, seed: 1)
        report.add(CaseResult(Self.testCase("reading.good"), .passed))
        var result = CaseResult(Self.testCase("foreign.listing"), .notTried)
        result.reason = "give --service"
        report.add(result)
        #expect(report.isPassed && !result.isFailure)
        #expect(report.text.contains("not tried: foreign.listing: give --service"))
        #expect(report.text.contains("1 passed, 1 not tried"))
        #expect(report.junit.contains("<skipped message=\"not tried: give --service\"/>"))
        #expect(report.json.contains("\"notTried\" : 1"))
    }

    @Test("a report passes with skipped cases, but not after an interruption")
    func passing() {
        var report = ValidationReport(provider: "p", transport: "process", level: 1, seed: 1)
        report.add(CaseResult(Self.testCase("reading.good"), .passed))
        report.add(CaseResult(Self.testCase("reading.skipped"), .skipped))
        #expect(report.isPassed)
        report.interruption = "It does not start."
        #expect(!report.isPassed)
        #expect(report.text.contains("It does not start."))
    }

    private final class ElementCounter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]
        var attributes: [String: [String: String]] = [:]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes values: [String: String]
        ) {
            counts[name, default: 0] += 1
            attributes[name] = values
        }
    }
}
