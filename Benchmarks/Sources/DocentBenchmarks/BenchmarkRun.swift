/// Runs benchmarks one after the other: each figure is told when it is there, and one that fails ends no other.
struct BenchmarkRun {
    private(set) var report: Report
    private let tell: (String) -> Void

    /// - Parameter tell: takes closed lines as they come.
    init(_ report: Report, tell: @escaping (String) -> Void) {
        self.report = report
        self.tell = tell
        tell(Report.header)
    }

    /// Runs one, whatever comes of it.
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
