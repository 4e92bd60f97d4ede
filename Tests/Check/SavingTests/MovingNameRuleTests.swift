import DocentInterfaces
import Saving
import Testing

@Suite("names that are taken")
struct MovingNameRuleTests {
    private static let taken = [("1", "Notes.txt"), ("2", "Über.txt"), ("3", "plain")]

    @Test(
        "names are compared without case, and regardless of how their accents are composed",
        arguments: ["Notes.txt", "NOTES.TXT", "über.TXT", "U\u{308}ber.txt", "Plain"])
    func collision(name: String) {
        #expect(throws: Failure.self) {
            try NameRule.requireFree(name, among: Self.taken, moving: nil, provider: "p")
        }
    }

    @Test("an unused name is free, and an item may change the case of its own", arguments: ["notes", "Notes.txt2", ""])
    func free(name: String) throws {
        try NameRule.requireFree(name, among: Self.taken, moving: nil, provider: "p")
        try NameRule.requireFree("NOTES.txt", among: Self.taken, moving: "1", provider: "p")
        #expect(throws: Failure.self) {
            try NameRule.requireFree("NOTES.txt", among: Self.taken, moving: "2", provider: "p")
        }
    }

    @Test("names are identical only byte by byte")
    func bytes() {
        #expect(NameRule.isSame("a", "a"))
        #expect(!NameRule.isSame("\u{e9}", "e\u{301}"))
    }
}
