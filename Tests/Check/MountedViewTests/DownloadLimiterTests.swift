import Testing

@testable import MountedView

/// How many documents are downloaded for a program within a minute.
@Suite struct DownloadLimiterTests {
    private final class Limiter {
        private let start = ContinuousClock.now
        private var limiter = DownloadLimiter()

        func admit(_ document: UInt64, at seconds: Int, limit: Int = 3, for program: String = "p") -> Bool {
            limiter.admit(document, for: program, limit: limit, at: start + .seconds(seconds))
        }
    }

    private let limiter = Limiter()

    @Test("a program that asks for too many gets none until it has not asked for a minute")
    func stopped() {
        for document in 1...3 as ClosedRange<UInt64> { #expect(limiter.admit(document, at: 0)) }
        #expect(!limiter.admit(4, at: 10) && !limiter.admit(1, at: 20))
        // The first ones are more than a minute ago, but it goes on asking.
        #expect(!limiter.admit(5, at: 79) && !limiter.admit(5, at: 138))
        #expect(limiter.admit(5, at: 198))
    }

    @Test("a slow program is never stopped")
    func slow() {
        for document in 1...100 as ClosedRange<UInt64> { #expect(limiter.admit(document, at: Int(document) * 21)) }
    }

    @Test("a document counts once, however often it is asked for")
    func again() {
        for second in 0..<100 { #expect(limiter.admit(1, at: second)) }
        #expect(limiter.admit(2, at: 100) && limiter.admit(3, at: 100) && !limiter.admit(4, at: 100))
    }

    @Test("programs are counted separately, and very many of them are not all remembered")
    func separate() {
        for number in 0..<1000 { #expect(limiter.admit(1, at: 0, limit: 1, for: "p\(number)")) }
        #expect(!limiter.admit(2, at: 0, limit: 1, for: "p999"))
    }

    @Test("another limit applies at once")
    func changed() {
        #expect(limiter.admit(1, at: 0, limit: 1) && !limiter.admit(2, at: 1, limit: 1))
        #expect(limiter.admit(2, at: 2, limit: 2) && !limiter.admit(3, at: 3, limit: 2))
    }
}
