import Testing

@testable import CommandConsole

@Suite struct TerminalWidthTests {
    private static let table: Table = {
        var table = Table(["ID", "CLIENT", "KIND", "ACCESS", "DOCUMENT", "SIZE"], numbers: [5])
        table.add(["1", "org.example.editor", "unconfined", "read-write", "A report of last year.pdf", "12345678"])
        table.add(["2", "org.example.viewer.of.long.name", "run (enforced)", "read-only", "日本語の書類.txt", "7"])
        return table
    }()

    private static func isWithin(_ columns: Int, _ text: String) -> Bool {
        text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= columns }
    }

    @Test(
        "A table is no wider than its terminal and omits nothing", arguments: [20, 40, 60, 80, 90, 100, 110, 200])
    func fits(columns: Int) {
        let text = Self.table.text(columns: columns)
        #expect(Self.isWithin(max(24, columns), text), "\(text)")
        let letters = text.filter { !$0.isWhitespace }
        for cell in ["日", "語", "12345678", "7"] { #expect(text.contains(cell), "\(text)") }
        #expect(Self.table.text.filter { !$0.isWhitespace }.allSatisfy { letters.contains($0) })
    }

    @Test("A table that fits, or is not written to a terminal, stays unchanged")
    func unchanged() {
        #expect(Self.table.text(columns: nil) == Self.table.text)
        #expect(Self.table.text(columns: 300) == Self.table.text)
        #expect(Table(["A", "B"]).text(columns: 2) == "A  B\n")
    }

    @Test("Names are not broken as long as they fit on a line", arguments: 60...120)
    func names(columns: Int) {
        let text = Self.table.text(columns: columns)
        for name in ["org.example.viewer.of.long.name", "org.example.editor", "read-write"] {
            #expect(text.contains(name))
        }
    }

    @Test("On a narrow terminal each row is a list of its cells")
    func records() {
        let lines = Self.table.text(columns: 40).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "ID        1" && lines.contains("") && lines.contains("CLIENT    org.example.editor"))
    }

    @Test("Text is broken between words, and inside a word that is too long")
    func wrapped() {
        #expect(WrappedText.lines("one two three", width: 8) == ["one two", "three"])
        #expect(WrappedText.lines("abcdefghij", width: 4) == ["abcd", "efgh", "ij"])
        #expect(WrappedText.lines("", width: 4) == [""] && WrappedText.lines("日本語", width: 4) == ["日本", "語"])
    }

    @Test("A progress line takes one line of its terminal", arguments: [20, 30, 40, 60, 80, 120])
    func progress(columns: Int) {
        for label in [
            "a", "Importing webdav@work:/Reports/2026/a very long name of a document indeed.pdf", "日本語日本語日本語日本語",
        ] {
            let line = ProgressLine.text(
                label, done: 5_000_000, total: 10_000_000, rate: 1_000_000, seconds: 3, columns: columns)
            #expect(DisplayWidth.of(line) < columns, "\(line)")
            #expect(line.contains("5.0 MB of 10"), "\(line)")
        }
    }
}
