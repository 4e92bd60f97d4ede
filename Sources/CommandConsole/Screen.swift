/// Text that is redrawn in place on a terminal, and appended elsewhere.
package struct Screen {
    private var lines = 0
    private var shown = 0

    package init() {}

    /// Shows a text of complete lines in place of the previous one.
    package mutating func show(_ text: String) throws {
        let isFirst = lines == 0
        lines = text.count { $0 == "\n" }
        guard StandardOutput.isTerminal else { return try StandardOutput.write((isFirst ? "" : "\n") + text) }
        // Lines are cut at the edge meanwhile: a wrapped line would take two.
        try StandardOutput.write(
            (isFirst ? "" : "\u{1B}[\(shown)F") + "\u{1B}[J\u{1B}[?7l" + text + "\u{1B}[?7h")
        shown = lines
    }
}
