import MountedView
import Testing

@Suite struct ShownNamesTests {
    @Test(
        "an ordinary name is shown as it is",
        arguments: ["a.txt", "…", "a~b", ".hidden", String(repeating: "x", count: 255)])
    func ordinary(name: String) { #expect(ShownNames.name(of: name, identifier: "1") == name) }

    @Test(
        "a name that no file can have is changed to one that says which document it is",
        arguments: ["", ".", "..", "a/b.txt", "a\0b", String(repeating: "é", count: 200) + ".txt"])
    func impossible(name: String) {
        let shown = ShownNames.name(of: name, identifier: "document 1")
        #expect(ShownNames.isPossible(shown) && ShownNames.isMarked(shown))
        #expect(shown != ShownNames.name(of: name, identifier: "document 2"))
        if name.hasSuffix(".txt") { #expect(shown.hasSuffix(".txt")) }
    }

    @Test("of several items with one name, that with the least identifier keeps it, in any order")
    func twins() {
        let items: [(name: String, identifier: String)] = [
            ("a.txt", "2"), ("b", "3"), ("a.txt", "1"), ("a.txt", "4"),
        ]
        let shown = Dictionary(uniqueKeysWithValues: zip(items.map(\.identifier), ShownNames.names(of: items)))
        let other = Dictionary(
            uniqueKeysWithValues: zip(items.reversed().map(\.identifier), ShownNames.names(of: items.reversed())))
        #expect(shown == other)
        #expect(shown["1"] == "a.txt" && shown["3"] == "b" && Set(shown.values).count == 4)
    }

    @Test("names that look alike are different if their bytes are")
    func normalisation() {
        #expect(ShownNames.names(of: [("e\u{301}", "1"), ("é", "2")]).map { Array($0.utf8).count } == [3, 2])
        #expect(EntryName("e\u{301}") != EntryName("é"))
    }

    @Test("numbers from texts are stable, and differ with each text")
    func numbers() {
        #expect(StableNumber.of(["a", "b"]) == StableNumber.of(["a", "b"]))
        let all = [["ab", ""], ["a", "b"], ["", "ab"], ["ab"]].map(StableNumber.of)
        #expect(Set(all).count == 4 && all.allSatisfy { $0 >= 16 && $0 >> 63 == 0 })
    }
}
