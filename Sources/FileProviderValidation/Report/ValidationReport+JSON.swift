import FoundationEssentials

extension ValidationReport {
    /// The report as a JSON object: `provider`, `transport`, `level`, `seed`, `passed` (whether nothing counts against
    /// the provider), `counts`, `seconds`, `interruption`, and `cases`.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        // Only texts and finite numbers: encoding cannot fail.
        guard let data = try? encoder.encode(Document(self)) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private struct Document: Encodable {
        struct Case: Encodable {
            var name: String
            var summary: String
            var outcome: String
            var seconds: Double
            var findings: [Finding]
            var reason: String?
            var lastStep: String?
            var notes: [String]
            var output: String?
            var again: String?
        }

        var provider: String
        var transport: String
        var level: Int
        var seed: UInt64
        var passed: Bool
        var counts: [String: Int]
        var seconds: Double
        var interruption: String?
        var cases: [Case]

        init(_ report: ValidationReport) {
            provider = report.provider
            transport = report.transport
            level = report.level
            seed = report.seed
            passed = report.isPassed
            counts = Dictionary(
                uniqueKeysWithValues: CaseResult.Outcome.allCases.map { ($0.rawValue, report.count($0)) })
            seconds = Self.rounded(report.seconds)
            interruption = report.interruption
            cases = report.results.map {
                Case(
                    name: $0.name, summary: $0.summary, outcome: $0.outcome.rawValue, seconds: Self.rounded($0.seconds),
                    findings: $0.findings, reason: $0.reason, lastStep: $0.lastStep, notes: $0.notes,
                    output: $0.output, again: report.repeating[$0.name])
            }
        }

        private static func rounded(_ seconds: Double) -> Double {
            seconds.isFinite ? (seconds * 1_000).rounded() / 1_000 : 0
        }
    }
}
