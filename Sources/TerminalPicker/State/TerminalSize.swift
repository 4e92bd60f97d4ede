/// The size of a terminal, never smaller than what can be drawn on.
package struct TerminalSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int = 80, rows: Int = 24) {
        self.columns = max(20, columns)
        self.rows = max(4, rows)
    }
}
