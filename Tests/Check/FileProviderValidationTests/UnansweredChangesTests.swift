import Testing

@testable import FileProviderValidation

@Suite struct UnansweredChangesTests {
    @Test("after an unanswered change the old content or the new one is right, and nothing else")
    func one() {
        var old = UnansweredChanges([1])
        #expect(old.accept([1], after: [2], isAnswered: false))
        var new = UnansweredChanges([1])
        #expect(new.accept([2], after: [2], isAnswered: false))
        var other = UnansweredChanges([1])
        #expect(!other.accept([9], after: [2], isAnswered: false))
    }

    @Test("an unanswered change may appear after later ones that were unanswered too, once")
    func late() {
        var changes = UnansweredChanges([1])
        #expect(changes.accept([1], after: [2], isAnswered: false))
        #expect(changes.accept([1], after: [3], isAnswered: false))
        #expect(changes.accept([2], after: [4], isAnswered: false))
        #expect(changes.content == [2])
        #expect(!changes.accept([1], after: [5], isAnswered: false))
        #expect(changes.accept([4], after: [6], isAnswered: false))
        #expect(!changes.accept([3], after: [7], isAnswered: false))
    }

    @Test("an answered change is there at once, and no earlier one appears any more")
    func answered() {
        var missing = UnansweredChanges([1])
        #expect(!missing.accept([1], after: [2], isAnswered: true))
        var changes = UnansweredChanges([1])
        #expect(changes.accept([1], after: [2], isAnswered: false))
        #expect(changes.accept([3], after: [3], isAnswered: true))
        #expect(!changes.accept([2], after: [4], isAnswered: false))
    }
}
