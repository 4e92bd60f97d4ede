import Testing

@testable import HostServices

/// Texts of a client that the user sees.
@Suite struct ClientWordsTests {
    @Test(
        "I1: characters that move the cursor, break a line or are invisible are not shown",
        arguments: [
            (nil, nil), ("", nil), ("  \n\t ", nil), ("to edit it", "to edit it"), ("a\u{1B}[2Jb", "a [2Jb"),
            ("a\nb\r\nc", "a b c"), ("x\u{202E}y\u{2066}z", "x y z"), ("q\u{200B}\u{E0041}r", "q r"),
            ("Ünï 日本", "Ünï 日本"),
        ] as [(String?, String?)])
    func shown(_ words: String?, _ expected: String?) {
        #expect(ClientWords.shown(words) == expected)
    }

    @Test(
        "I1: long texts are cut, and the cut is shown",
        arguments: [String(repeating: "a", count: 500), "e" + String(repeating: "\u{301}", count: 9000)])
    func cut(_ words: String) throws {
        let shown = try #require(ClientWords.shown(words, limit: 100))
        #expect(shown.count <= 100)
        #expect(shown.unicodeScalars.count <= 401)
        #expect(shown.hasSuffix("…"))
    }
}
