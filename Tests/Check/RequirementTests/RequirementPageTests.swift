import Testing

/// The page of the requirements itself.
struct RequirementPageTests {
    @Test("each number is defined once in its part, with one sentence")
    func wellFormed() throws {
        let page = try RequirementPage()
        #expect(page.entries.count > 300)
        var seen: Set<[String]> = []
        for entry in page.entries {
            #expect(seen.insert([entry.part, entry.number]).inserted, "\(entry.number) is defined twice")
            #expect(
                CitationList.isNumber(entry.number) || entry.number == "6",
                "\(entry.number) is no number that can be cited")
            #expect(entry.sentence.hasSuffix("."), "\(entry.number): \(entry.sentence)")
            let isOne = !entry.sentence.dropLast().contains(". ") && entry.sentence.split(separator: " ").count > 2
            #expect(isOne, "\(entry.number) has one sentence: \(entry.sentence)")
        }
    }

    @Test("only the four letters that the page names have a meaning in both parts")
    func letters() throws {
        let byLetter = Dictionary(grouping: try RequirementPage().entries.filter { CitationList.isLettered($0.number) })
        {
            String($0.number.prefix(1))
        }
        let shared = byLetter.filter { Set($0.value.map(\.part)).count > 1 }.keys.sorted()
        #expect(shared == ["D", "F", "I", "L"])
    }
}
