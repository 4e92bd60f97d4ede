import Testing

@testable import RemoteDocuments

@Suite struct PagesAheadTests {
    @Test("A page is asked for once, taken once, and only a moment later")
    func taken() async throws {
        var pages = PagesAhead<String, Int>()
        let now = ContinuousClock.now
        let asked = (1...2).map { _ in pages.ask("2", at: now) { 7 } }
        #expect(asked == [true, false])
        let other = pages.take("3", at: now)
        #expect(other == nil)
        let taken = try await pages.take("2", at: now)?.value
        #expect(taken == 7)
        let again = pages.take("2", at: now)
        #expect(again == nil)
        _ = pages.ask("2", at: now) { 7 }
        let late = pages.take("2", at: now + pages.patience)
        #expect(late == nil)
    }

    @Test("Few pages wait for a reader, and one that nobody reads is forgotten")
    func bounded() async throws {
        var pages = PagesAhead<String, Int>()
        let now = ContinuousClock.now
        let asked = (0..<20).filter { number in pages.ask("\(number)", at: now) { number } }
        #expect(asked == Array(0..<8))
        // Another one that was asked for later stays.
        pages.drop("0", askedAt: now - .seconds(1))
        let first = try await pages.take("0", at: now)?.value
        #expect(first == 0)
        for number in 1..<8 { pages.drop("\(number)", askedAt: now) }
        let dropped = pages.take("1", at: now)
        #expect(dropped == nil)
        let isAsked = pages.ask("9", at: now) { 9 }
        #expect(isAsked)
    }
}
