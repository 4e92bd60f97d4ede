/// A table for people, aligned by the width that text has on a terminal.
package struct Table {
    /// The columns' titles.
    let titles: [String]
    /// Columns whose cells are numbers, set to the right.
    let numbers: Set<Int>
    private var rows: [[String]] = []

    /// An empty table.
    package init(_ titles: [String], numbers: Set<Int> = []) {
        self.titles = titles
        self.numbers = numbers
    }

    /// Adds a row. Cells are made harmless for a terminal.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(SafeText.escaped)) }

    /// The table as lines, each closed; the titles alone when there are no rows.
    package var text: String {
        let widths = self.widths
        return ([titles] + rows).map { line($0, widths) + "\n" }.joined()
    }

    /// The table for standard output: as wide as it is, or where that is a terminal no wider than that.
    package var shown: String { text(columns: StandardOutput.columns) }

    /// The table with no line that is longer. Cells go on below themselves; where even that is too wide, each row is a list of
    /// its cells. Nothing is left out.
    ///
    /// - Parameter columns: nil for as many as it takes.
    package func text(columns: Int?) -> String {
        var widths = self.widths
        guard let columns, Self.total(widths) > columns else { return text }
        while Self.total(widths) > columns {
            let shrinkable = widths.indices.filter { !numbers.contains($0) && widths[$0] > leastWidth($0) }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return records(columns) }
            widths[widest] -= 1
        }
        return ([titles] + rows).map { row in
            let cells = row.enumerated().map { WrappedText.lines($1, width: widths[$0]) }
            return (0..<(cells.map(\.count).max() ?? 0)).map { index in
                line(cells.map { $0.indices.contains(index) ? $0[index] : "" }, widths) + "\n"
            }.joined()
        }.joined()
    }

    private var widths: [Int] {
        titles.indices.map { column in ([titles] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    }

    // Narrower ones cannot be read, and names are not broken: somebody may copy them.
    private func leastWidth(_ column: Int) -> Int {
        let words = rows.flatMap { $0[column].split(separator: " ") }.map { DisplayWidth.of(String($0)) }
        return max(14, DisplayWidth.of(titles[column]), min(40, words.max() ?? 0))
    }

    private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

    private func records(_ columns: Int) -> String {
        let width = (titles.map(DisplayWidth.of).max() ?? 0) + 2
        guard !rows.isEmpty else { return titles.joined(separator: "  ") + "\n" }
        return rows.map { row in
            zip(titles, row).map { title, cell in
                WrappedText.lines(cell, width: max(8, columns - width)).enumerated().map { index, line in
                    let name = index == 0 ? title : ""
                    return name + String(repeating: " ", count: width - DisplayWidth.of(name)) + line + "\n"
                }.joined()
            }.joined()
        }.joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
            if column > 0 { text += "  " }
            if numbers.contains(column) {
                text += padding + cell
            } else {
                text += cell + (column == cells.count - 1 ? "" : padding)
            }
        }
        // No spaces before an empty last cell.
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Names and values below each other: `name:  value`.
    package static func facts(_ facts: [(name: String, value: String?)]) -> String {
        let known = facts.compactMap { fact in fact.value.map { (fact.name + ":", $0) } }
        let width = known.map { DisplayWidth.of($0.0) }.max() ?? 0
        return known.map { name, value in
            name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2) + SafeText.escaped(value) + "\n"
        }.joined()
    }
}
