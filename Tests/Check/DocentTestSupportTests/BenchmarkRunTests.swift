import Testing

/// `make bench`, whose package links to the sources that are tested here.
@Suite struct BenchmarkRunTests {
    private struct Broken: Error, CustomStringConvertible { let description = "no rclone" }

    private static func finding(_ what: String, _ value: Double, goal: Double?) -> Finding {
        Finding(what: what, value: value, unit: "ms", goal: goal, parts: [])
    }

    @Test("Each figure is printed at once, a failing one stops no other, and the end lists the missed goals")
    func failures() async throws {
        var lines: [String] = []
        var told: [Int] = []
        var run = BenchmarkRun(Report(rounds: 5, loadAverage: 0.5)) { lines.append($0) }
        for step in 0..<3 {
            await run.perform("b\(step)") {
                told.append(lines.count)
                if step == 1 { throw Broken() }
                return [
                    Self.finding("open", 3, goal: 2), Self.finding("read", 1, goal: 2),
                    Self.finding("list", 9, goal: nil),
                ]
            }
        }
        #expect(told == [1, 4, 5] && lines.count == 8)
        #expect(lines[0] == Report.header && lines[1].contains("MISSED") && lines[2].contains("met"))
        #expect(lines[4] == "b1 FAILED: no rclone\n")
        #expect(run.report.findings.count == 6 && run.report.failures.map(\.name) == ["b1"])
        let summary = run.report.summary
        #expect(summary.contains("failed: 1\n  b1: no rclone\n"))
        #expect(
            summary.hasSuffix(
                "goals missed: 2 of 4\n  open: 3.00 ms, goal ≤ 2.00 ms\n  open: 3.00 ms, goal ≤ 2.00 ms\n"))
        #expect(try run.report.json().contains("no rclone"))
    }
}
