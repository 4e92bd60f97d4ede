import Testing

@testable import HostCore

/// Foreign texts in log lines.
@Suite struct LogLineTests {
    @Test(
        "A field stays on its line, moves no cursor, and cannot imitate another field",
        arguments: [
            ("plain", "plain"), ("", ""), ("org.example.P", "org.example.P"), ("two words", "\"two words\""),
            ("a\nb\r\tc", "\"a\\nb\\r\\tc\""), ("\u{1B}[2J", "\"\\u{1B}[2J\""), ("\u{9B}2J", "\"\\u{9B}2J\""),
            ("x\u{202E}y\u{2028}z", "\"x\\u{202E}y\\u{2028}z\""), ("q\u{E0041}\u{200B}", "\"q\\u{E0041}\\u{200B}\""),
            ("x provider=other", "\"x provider=other\""), ("a=b", "\"a=b\""), ("\"quoted\"", "\"\\\"quoted\\\"\""),
            ("back\\slash", "\"back\\\\slash\""), ("\\n\n", "\"\\\\n\\n\""), ("日本", "\"日本\""),
        ])
    func value(_ text: String, _ expected: String) { #expect(LogLine.value(text) == expected) }

    @Test("A text that is too long is cut, with a note outside the quotation marks")
    func cut() {
        let text = String(repeating: "a", count: 5_000)
        #expect(LogLine.value(text) == "\"" + String(repeating: "a", count: 2_000) + "\"… (cut, 5000 bytes)")
        #expect(LogLine.value(String(repeating: "\n", count: 5_000)).utf8.count < 5_000)
        #expect(LogLine.message(text).hasSuffix("… (cut, 5000 bytes)"))
        #expect(LogLine.message("a\nb \u{1B}c") == "a\\nb \\u{1B}c")
    }

    @Test("Each source has its own number of lines in ten seconds, and omitted lines are counted")
    func budget() {
        var budget = LineBudget<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        let verdicts = (0..<25).map { _ in budget.take("p", at: start) }
        #expect(verdicts.count { $0 == .written } == 20)
        #expect(verdicts[20] == .firstLeftOut && verdicts[21...].allSatisfy { $0 == .leftOut })
        #expect(budget.take("q", at: start) == .written)
        // The count is kept until it is written, so that none is lost.
        #expect(budget.take("p", at: start + .seconds(60)) == .leftOut)
        #expect(budget.end("p") == 6)
        #expect(budget.take("p", at: start + .seconds(60)) == .written)
        for second in 0..<100 { #expect(budget.take("slow", at: start + .seconds(second)) == .written) }
    }
}
