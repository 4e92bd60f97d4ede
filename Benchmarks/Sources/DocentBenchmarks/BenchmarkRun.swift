/// Runs benchmarks one after the other. Each figure is reported as soon as it is known, and a failed benchmark does not
/// affect the others.
struct BenchmarkRun {
    private(set) var report: Report
    private let tell: (String) -> Void

    /// - Parameter tell: receives complete lines as they are produced.
    init(_ report: Report, tell: @escaping (String) -> Void) {
        self.report = report
        self.tell = tell
        tell(Report.header)
    }

    /// Runs one benchmark and records a failure.
    mutating func perform(_ name: String, _ body: () async throws -> [Finding]) async {
        do {
            let findings = try await body()
            report.findings += findings
            for finding in findings { tell(Report.line(finding)) }
        } catch {
            report.failures.append(.init(name: name, why: "\(error)"))
            tell("\(name) FAILED: \(error)\n")
        }
    }
}
