import Foundation

/// The output: lines for people, each as soon as it is known, or JSON.
struct Report: Encodable {
    /// A benchmark that failed.
    struct Failure: Encodable {
        var name: String
        var why: String
    }

    var rounds: Int
    /// Whether the sizes are small and only ratios count.
    var isQuick = false
    var loadAverage: Double
    var findings: [Finding] = []
    var failures: [Failure] = []

    /// The figures that miss their goals.
    var missed: [Finding] { findings.filter { $0.isMet == false } }

    /// The ratios of more than twice their goals: more than noise explains.
    var exceeded: [Finding] {
        findings.filter { finding in finding.unit == "times" && finding.goal.map { finding.value > 2 * $0 } == true }
    }

    /// Pretty JSON with a newline.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// The titles of ``line(_:)``.
    static let header = columns("WHAT", "MEDIAN", "GOAL", "", "MADE OF")

    /// One figure as a line.
    static func line(_ finding: Finding) -> String {
        columns(
            finding.what, text(finding.value, finding.unit), finding.goal.map { "≤ " + text($0, finding.unit) } ?? "-",
            finding.isMet.map { $0 ? "met" : "MISSED" } ?? "",
            finding.parts.map { "\($0.name) \(text($0.value, $0.unit))" }.joined(separator: ", "))
    }

    /// The result of the whole run: which goals were missed, and what failed.
    var summary: String {
        let goals = findings.count { $0.goal != nil }
        var lines = ["", "\(rounds) rounds or more; load average at the start \(loadAverage)"]
        if !failures.isEmpty {
            lines.append("failed: \(failures.count)")
            lines += failures.map { "  \($0.name): \($0.why)" }
        }
        if isQuick {
            lines.append("ratios above twice their goals: \(exceeded.count)")
            lines += exceeded.map(line)
            return lines.map { $0 + "\n" }.joined()
        }
        lines.append("goals missed: \(missed.count) of \(goals)")
        lines += missed.map(line)
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ finding: Finding) -> String {
        "  \(finding.what): \(Self.text(finding.value, finding.unit)), "
            + "goal ≤ \(Self.text(finding.goal ?? .nan, finding.unit))"
    }

    // Fixed widths, because lines are printed as they are known; wide enough for nearly all.
    private static func columns(_ what: String, _ median: String, _ goal: String, _ isMet: String, _ parts: String)
        -> String
    {
        let cells = zip([what, median, goal, isMet], [76, 9, 11, 6]).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.count))
        }
        return (cells + [parts]).joined(separator: "  ") + "\n"
    }

    private static func text(_ value: Double, _ unit: String) -> String {
        let number = unit.isEmpty ? String(Int(value)) : String(format: value < 10 ? "%.2f" : "%.1f", value)
        return unit == "times" ? number + "×" : unit.isEmpty ? number : "\(number) \(unit)"
    }
}
