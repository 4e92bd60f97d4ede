import Foundation

/// What comes out: a table for people or JSON.
struct Report: Encodable {
    var rounds: Int
    var loadAverage: Double
    var findings: [Finding]

    /// Pretty JSON with a newline.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// A table with aligned columns.
    var text: String {
        let header = ["WHAT", "MEDIAN", "GOAL", "", "MADE OF"]
        let rows = findings.map { finding in
            [
                finding.what, Self.text(finding.value, finding.unit),
                finding.goal.map { "≤ " + Self.text($0, finding.unit) } ?? "-",
                finding.isMet.map { $0 ? "met" : "MISSED" } ?? "",
                finding.parts.map { "\($0.name) \(Self.text($0.value, $0.unit))" }.joined(separator: ", "),
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([header] + rows).map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            return cells.joined(separator: "  ")
        }
        return lines.joined(separator: "\n") + "\n\(rounds) rounds or more; load average at the start \(loadAverage)\n"
    }

    private static func text(_ value: Double, _ unit: String) -> String {
        let number = unit.isEmpty ? String(Int(value)) : String(format: value < 10 ? "%.2f" : "%.1f", value)
        return unit == "times" ? number + "×" : unit.isEmpty ? number : "\(number) \(unit)"
    }
}
