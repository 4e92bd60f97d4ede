import Testing

@testable import CommandConsole

@Suite struct TextTests {
    @Test(
        "Control characters and direction marks are escaped, everything else stays",
        arguments: [
            ("plain", "plain"), ("a\u{1B}[2Jb", "a\\x1B[2Jb"), ("line\nfeed", "line\\x0Afeed"),
            ("c1\u{9B}x", "c1\\xC2\\x9Bx"), ("\u{202E}txt.exe", "\\xE2\\x80\\xAEtxt.exe"), ("日本語 é 👩‍👩‍👧", "日本語 é 👩‍👩‍👧"),
            ("back\\slash", "back\\slash"), ("del\u{7F}", "del\\x7F"), ("", ""),
            ("zero\u{200B}width", "zero\\xE2\\x80\\x8Bwidth"), ("tag\u{E0041}", "tag\\xF3\\xA0\\x81\\x81"),
            ("fill\u{3164}er", "fill\\xE3\\x85\\xA4er"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ])
    func escaping(text: String, expected: String) { #expect(SafeText.escaped(text) == expected) }

    @Test(
        "The width of text on a terminal",
        arguments: [
            ("abc", 3), ("", 0), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("한글", 4), ("ｆ", 2), ("ﾊ", 1),
            ("☎️", 2),
            ("Ω", 1),
        ])
    func width(text: String, expected: Int) { #expect(DisplayWidth.of(text) == expected) }

    @Test("A table is aligned by display width and never contains a raw escape sequence")
    func table() {
        var table = Table(["NAME", "SIZE", "LAST"], numbers: [1])
        table.add(["日本", "7", "x"])
        table.add(["a\u{1B}b", "1234", "yy"])
        #expect(
            table.text == """
                NAME    SIZE  LAST
                日本       7  x
                a\\x1Bb  1234  yy

                """)
    }

    @Test("An empty table is its titles, and an empty last cell leaves no trailing spaces")
    func emptyTable() {
        var table = Table(["A", "B"])
        #expect(table.text == "A  B\n")
        table.add(["a", ""])
        #expect(table.text == "A  B\na\n")
    }

    @Test("Unknown facts are omitted")
    func facts() {
        #expect(Table.facts([("a", "1"), ("long", nil), ("bcd", "2\n")]) == "a:    1\nbcd:  2\\x0A\n")
    }

    @Test(
        "Sizes in units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_049_999, "1.0 MB"), (12_500_000, "12.5 MB"),
            (Int.max, "9.2 EB"),
        ])
    func size(bytes: Int, expected: String) { #expect(ByteCount.text(bytes) == expected) }

    @Test(
        "Times are ISO 8601 in UTC; a time beyond the calendar is nil",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_237_711.9, "2026-11-21T05:08:31Z"), (-1.5, "1969-12-31T23:59:58Z"),
            (.nan, nil), (.infinity, nil), (1e300, nil), (-1e300, nil), (nil, nil),
        ] as [(Double?, String?)])
    func time(seconds: Double?, expected: String?) { #expect(Timestamp.text(seconds) == expected) }

    @Test("The progress line shows bytes, rate and remaining time if known, else the elapsed time")
    func progress() {
        #expect(ProgressLine.text("a", done: 0, total: 10, seconds: 3) == "a  3 s")
        #expect(ProgressLine.text("a", done: 1500, total: nil, seconds: 3) == "a  1.5 kB")
        #expect(
            ProgressLine.text("a", done: 500, total: 1000, seconds: 3)
                == "a  [##########----------] 500 B of 1.0 kB")
        #expect(
            ProgressLine.text("a", done: 5_000_000, total: 10_000_000, rate: 1_000_000, seconds: 3)
                == "a  [##########----------] 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left")
        #expect(ProgressLine.text("a", done: 1500, total: nil, rate: 500, seconds: 3) == "a  1.5 kB, 500 B/s")
        #expect(ProgressLine.text("a", done: 3000, total: 1000, seconds: 3).contains("[####################]"))
        #expect(ProgressLine.text("a", done: .max, total: .max, rate: .nan, seconds: 3).hasSuffix("9.2 EB of 9.2 EB"))
    }

    @Test("Remaining time", arguments: [(59, "59 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")])
    func duration(seconds: Int, expected: String) { #expect(ProgressLine.duration(seconds) == expected) }
}
