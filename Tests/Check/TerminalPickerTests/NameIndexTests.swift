import Testing

@testable import TerminalPicker

@Suite struct NameIndexTests {
    private static func found(_ filter: String, in names: [String]) -> [String] {
        var index = NameIndex()
        for name in names { index.append(name) }
        return index.matches(filter).map { names[$0] }
    }

    @Test("Without a filter everything is there, in its own order")
    func everything() {
        #expect(Self.found("", in: ["b", "a"]) == ["b", "a"])
        #expect(Self.found("  ", in: ["b", "a"]) == ["b", "a"])
        #expect(Self.found("x", in: []).isEmpty)
        #expect(Self.found("x", in: [""]).isEmpty)
    }

    @Test(
        "A name matches if it contains the letters in their order, in any case",
        arguments: [
            ("mtx", "Minutes.TXT", true), ("MIN", "minutes.txt", true), ("txm", "minutes.txt", false),
            ("ab c", "c ab", true), ("é", "Caf\u{65}\u{301}", true), ("e\u{301}", "CAFÉ", true),
            ("ß", "STRASSE", false),
            ("漢", "漢字.txt", true), ("zz", "z", false), ("🙂", "a🙂b", true), ("\u{1F512}", "a", false),
        ])
    func matching(_ filter: String, _ name: String, _ isFound: Bool) {
        #expect(Self.found(filter, in: [name]).isEmpty != isFound)
    }

    @Test(
        "The better match is first: the whole name, its beginning, the beginning of a word, one piece, then the rest",
        arguments: [
            ("notes", ["my notes", "notes", "notes.txt"], ["notes", "notes.txt", "my notes"]),
            ("rep", ["grape repairs", "a-r-e-p", "Report.pdf"], ["Report.pdf", "grape repairs", "a-r-e-p"]),
            ("mt", ["format.txt", "MeetingTimes.ods"], ["MeetingTimes.ods", "format.txt"]),
            ("tax 26", ["tax 2025", "26 tax.pdf", "tax 2026"], ["26 tax.pdf", "tax 2026"]),
        ])
    func ranking(_ filter: String, _ names: [String], _ expected: [String]) {
        #expect(Self.found(filter, in: names) == expected)
    }

    @Test("Equal matches keep the order of the folder")
    func stable() {
        #expect(Self.found("a", in: ["a1", "a2", "a3"]) == ["a1", "a2", "a3"])
    }

    @Test("The result is that of a plain comparison, for many names and filters")
    func correct() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcABC é漢-.")
        let names = (0..<300).map { _ in
            String(
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? "a"
                })
        }
        for filter in ["a", "ab", "ba", "é", "a漢", "abc", "b c", "-."] {
            let expected = names.filter { name in
                filter.split(separator: " ").allSatisfy { word in
                    var rest = name.lowercased()[...]
                    return word.allSatisfy { letter in
                        guard let place = rest.firstIndex(of: letter) else { return false }
                        rest = rest[rest.index(after: place)...]
                        return true
                    }
                }
            }
            #expect(Self.found(filter, in: names).sorted() == expected.sorted(), "\(filter)")
        }
    }

    @Test("Ten thousand names are ranked completely, with hostile ones among them")
    func many() {
        var index = NameIndex()
        for number in 0..<10_000 { index.append("Document number \(number) of the archive.txt") }
        index.append(String(repeating: "a", count: 100_000))
        index.append(String(repeating: "e\u{301}", count: 10_000))
        #expect(index.matches("doc arch").count == 10_000)
        #expect(index.matches("number 9999").first == 9999)
        #expect(index.count == 10_002)
    }
}
