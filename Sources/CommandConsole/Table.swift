/// A table for people, aligned by the display width of text.
package struct Table {
    let titles: [String]
    /// Columns with numbers, aligned to the right.
    let numbers: Set<Int>
    private var rows: [[String]] = []

    /// An empty table.
    package init(_ titles: [String], numbers: Set<Int> = []) {
        self.titles = titles
        self.numbers = numbers
    }

    /// Adds a row. Cells are made safe for a terminal.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(SafeText.escaped)) }

    /// The table as complete lines; only the titles if there are no rows.
    package var text: String {
        let widths = self.widths
        return ([titles] + rows).map { line($0, widths) + "\n" }.joined()
    }

    /// The table for standard output: no wider than a terminal, at full width elsewhere.
    package var shown: String { text(columns: StandardOutput.columns) }

    /// The same for standard error.
    package var shownOnErrors: String { text(columns: StandardError.columns) }

    /// The table with no line longer than `columns`. Cells are wrapped; if even that is too wide, each row is a list of
    /// its cells. Nothing is left out.
    ///
    /// - Parameter columns: nil for the full width.
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

    // Narrower columns cannot be read. Names are not broken, so that they can be copied.
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
        // Removes the spaces before an empty last cell.
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Names and values, one per line: `name:  value`.
    package static func facts(_ facts: [(name: String, value: String?)]) -> String {
        let known = facts.compactMap { fact in fact.value.map { (fact.name + ":", $0) } }
        let width = known.map { DisplayWidth.of($0.0) }.max() ?? 0
        return known.map { name, value in
            name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2) + SafeText.escaped(value) + "\n"
        }.joined()
    }
}
