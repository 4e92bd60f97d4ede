import Records
import Testing

/// Names that are the same for a search, and the order of what it finds.
@Suite struct SearchRankTests {
    @Test(
        "case, accents, widths, separators and compositions do not matter",
        arguments: [
            ("Müller_Rechnung-2024.PDF", "muller rechnung 2024 pdf"), ("Mu\u{308}ller", "muller"),
            ("  a..b  ", "a b"), ("ＡＢＣ１", "abc1"), ("Straße", "strasse"), ("İstanbul", "istanbul"), ("Ærø", "aero"),
            ("東京 都", "東京 都"), ("がぎ", "かき"), ("か\u{3099}", "か"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("Ёлка", "елка"),
            ("c++ & c#", "c++ & c#"), ("a\u{200D}b", "ab"), ("", ""), ("...", ""), ("\u{0}x\n", "x"),
            ("Ελλάς", "ελλας"),
        ])
    func folds(name: String, folded: String) { #expect(NameFolding.fold(name) == folded) }

    @Test("folding twice changes nothing, and a long name is cut")
    func idempotent() {
        for name in ["Müller", "ÀÉÎÕÜ", "ß", "Ａ－Ｂ", "한글", "ǅ", "ﬁ"] {
            let once = NameFolding.fold(name)
            #expect(NameFolding.fold(once) == once, "\(name)")
        }
        #expect(NameFolding.fold(String(repeating: "x", count: 5000)).count == NameFolding.longest)
    }

    private static func place(_ word: String, _ name: String, stem: Int = 0) -> SearchRank.Place? {
        SearchRank.place(of: Array(word.utf8), in: Array(name.utf8), stemLength: stem)
    }

    @Test("a word is at the best of its places")
    func places() {
        #expect(Self.place("plan", "plan") == .wholeName)
        #expect(Self.place("plan", "plan txt", stem: 4) == .wholeName)
        #expect(Self.place("plan", "planning txt", stem: 8) == .nameStart)
        #expect(Self.place("plan", "my plan txt", stem: 7) == .wordStart)
        #expect(Self.place("plan", "airplane plan", stem: 13) == .wordStart)
        #expect(Self.place("plan", "airplane", stem: 8) == .part)
        #expect(Self.place("plan", "pla", stem: 3) == nil && Self.place("", "pla") == nil)
    }

    private static func score(
        _ places: [SearchRank.Place], isPhrase: Bool = false, age: Double? = 0
    ) -> Double {
        SearchRank.score(places, isPhrase: isPhrase, modified: age.map { 1e9 - $0 }, now: 1e9)
    }

    @Test("the place decides before the age, and the age between equals")
    func scores() {
        let places: [SearchRank.Place] = [.wholeName, .nameStart, .wordStart, .part, .folder]
        for (better, worse) in zip(places, places.dropFirst()) {
            #expect(Self.score([better], age: 1e9) > Self.score([worse], age: 0))
        }
        #expect(Self.score([.part], age: 0) > Self.score([.part], age: 1e7))
        #expect(Self.score([.part], age: 1e7) > Self.score([.part], age: nil))
        #expect(Self.score([.part, .part], isPhrase: true) > Self.score([.part, .part]))
        // A clock that runs ahead gives no advantage.
        #expect(Self.score([.part], age: -1e6) == Self.score([.part], age: 0))
        #expect(Self.score([.part], age: .nan).isFinite)
    }
}
