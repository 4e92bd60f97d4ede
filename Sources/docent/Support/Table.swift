/// A table for people, aligned by the width that text has on a terminal.
struct Table {
    /// The columns' titles.
    let titles: [String]
    /// Columns whose cells are numbers, set to the right.
    let numbers: Set<Int>
    private var rows: [[String]] = []

    /// An empty table.
    init(_ titles: [String], numbers: Set<Int> = []) {
        self.titles = titles
        self.numbers = numbers
    }

    /// Adds a row. Cells are made harmless for a terminal.
    mutating func add(_ cells: [String]) { rows.append(cells.map(SafeText.escaped)) }

    /// The table as lines, each closed; the titles alone when there are no rows.
    var text: String {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return all.map { line($0, widths) + "\n" }.joined()
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
    static func facts(_ facts: [(name: String, value: String?)]) -> String {
        let known = facts.compactMap { fact in fact.value.map { (fact.name + ":", $0) } }
        let width = known.map { DisplayWidth.of($0.0) }.max() ?? 0
        return known.map { name, value in
            name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2) + SafeText.escaped(value) + "\n"
        }.joined()
    }
}
