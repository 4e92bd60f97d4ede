import Records
import Rights
import Testing

/// How many documents a client changes within a minute.
@Suite struct ChangeWindowTests {
    private let start = ContinuousClock.now

    // A macro cannot call what changes the window.
    private func admit(
        _ number: Int, in window: inout ChangeWindow, documents: Int = 1, after seconds: Int = 0
    ) -> Bool {
        window.admit(key(number), documents: documents, limit: 50, at: start + .seconds(seconds))
    }

    private func key(_ number: Int) -> ItemKey { ItemKey(provider: "p", domain: "", identifier: "\(number)") }

    @Test("The limit is reached by documents, not by saves, and a change no longer counts after a minute")
    func counts() {
        var window = ChangeWindow()
        for number in 0..<50 { #expect(admit(number, in: &window, after: number)) }
        #expect(!admit(50, in: &window, after: 50))
        #expect(admit(7, in: &window, after: 50))
        #expect(window.documents == 50)
        #expect(!admit(50, in: &window, after: 59))
        #expect(admit(50, in: &window, after: 60))
        #expect(!admit(51, in: &window, after: 60))
        window.expire(at: start + .seconds(200))
        #expect(window.documents == 0)
    }

    @Test("A folder counts as the documents in it, and an empty one as none")
    func folders() {
        var window = ChangeWindow()
        #expect(!admit(0, in: &window, documents: 51))
        #expect(admit(0, in: &window, documents: 30))
        #expect(!admit(1, in: &window, documents: 21))
        #expect(admit(1, in: &window, documents: 20))
        #expect(admit(2, in: &window, documents: 0))
        #expect(!admit(3, in: &window))
        #expect(window.documents == 50)
    }

    @Test("A folder counts as the most documents that were in it, however small it seemed before")
    func growing() {
        var window = ChangeWindow()
        #expect(admit(0, in: &window, documents: 1))
        #expect(!admit(0, in: &window, documents: 51))
        #expect(admit(0, in: &window, documents: 40, after: 30))
        #expect(window.documents == 40)
        #expect(admit(0, in: &window, documents: 5, after: 30))
        #expect(!admit(1, in: &window, documents: 11, after: 30))
        // The first of it expires before the rest.
        #expect(admit(1, in: &window, documents: 11, after: 60))
        window.expire(at: start + .seconds(89))
        #expect(window.documents == 50)
        window.expire(at: start + .seconds(90))
        #expect(window.documents == 11)
        #expect(admit(0, in: &window, documents: 39, after: 90))
        #expect(!admit(2, in: &window, after: 90))
    }

    @Test("A slow client is never held, however long it works")
    func slow() {
        var window = ChangeWindow()
        for number in 0..<5000 {
            #expect(admit(number, in: &window, after: 2 * number))
            #expect(window.documents <= 30)
        }
    }
}
