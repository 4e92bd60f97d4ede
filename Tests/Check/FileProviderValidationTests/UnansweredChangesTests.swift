import Testing

@testable import FileProviderValidation

@Suite struct UnansweredChangesTests {
    @Test("after an unanswered change the old content or the new one is right, and nothing else")
    func one() {
        var old = UnansweredChanges([1])
        #expect(accepts(&old, [1], after: [2], isAnswered: false))
        var new = UnansweredChanges([1])
        #expect(accepts(&new, [2], after: [2], isAnswered: false))
        var other = UnansweredChanges([1])
        #expect(!accepts(&other, [9], after: [2], isAnswered: false))
    }

    @Test("an unanswered change may appear after later ones that were unanswered too, once")
    func late() {
        var changes = UnansweredChanges([1])
        #expect(accepts(&changes, [1], after: [2], isAnswered: false))
        #expect(accepts(&changes, [1], after: [3], isAnswered: false))
        #expect(accepts(&changes, [2], after: [4], isAnswered: false))
        #expect(changes.content == [2])
        #expect(!accepts(&changes, [1], after: [5], isAnswered: false))
        #expect(accepts(&changes, [4], after: [6], isAnswered: false))
        #expect(!accepts(&changes, [3], after: [7], isAnswered: false))
    }

    @Test("an answered change is there at once, and no earlier one appears any more")
    func answered() {
        var missing = UnansweredChanges([1])
        #expect(!accepts(&missing, [1], after: [2], isAnswered: true))
        var changes = UnansweredChanges([1])
        #expect(accepts(&changes, [1], after: [2], isAnswered: false))
        #expect(accepts(&changes, [3], after: [3], isAnswered: true))
        #expect(!accepts(&changes, [2], after: [4], isAnswered: false))
    }

    // A call of a mutating function cannot be an expectation.
    private func accepts(
        _ changes: inout UnansweredChanges, _ bytes: [UInt8], after change: [UInt8], isAnswered: Bool
    ) -> Bool { changes.accept(bytes, after: change, isAnswered: isAnswered) }
}
