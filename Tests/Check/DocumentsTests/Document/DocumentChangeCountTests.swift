import Testing

@testable import Documents

@Suite("Document: change counting")
struct DocumentChangeCountTests {
    @Test(
        "M6: the record of edits, undos and redos shows whether the contents are the saved ones",
        arguments: [
            ([], false),
            ([.done], true),
            ([.done, .undone], false),
            ([.done, .undone, .redone], true),
            ([.done, .done, .undone], true),
            ([.done, .done, .undone, .undone], false),
            ([.undone], true),
            ([.undone, .redone], false),
            ([.done, .cleared], false),
            ([.done, .cleared, .undone], true),
            ([.done, .cleared, .undone, .redone], false),
            // Another edit instead of the saved one: the same number of edits, but other contents.
            ([.done, .cleared, .undone, .done], true),
            ([.done, .cleared, .undone, .done, .undone, .redone], true),
            ([.done, .done, .cleared, .undone, .undone, .done, .done], true),
            ([.done, .cleared, .undone, .done, .cleared], false),
            // An edit after undoing back to the saved state leaves that state within reach.
            ([.done, .cleared, .done, .undone, .done, .undone], false),
        ] as [([Document.ChangeKind], Bool)])
    func hasUnsavedChanges(_ kinds: [Document.ChangeKind], _ expected: Bool) {
        var count = ChangeCount()
        for kind in kinds { count.record(kind) }
        #expect(count.hasUnsavedChanges == expected)
    }

    @Test(
        "M6: saving with a token covers the changes until it was taken, and no later ones",
        arguments: [
            ([.done], [], false),
            ([.done], [.done], true),
            ([.done], [.undone], true),
            ([.done], [.done, .undone], false),
            ([.done], [.undone, .redone], false),
            ([.done], [.undone, .done], true),
            ([.done, .undone], [], false),
        ] as [([Document.ChangeKind], [Document.ChangeKind], Bool)])
    func token(_ before: [Document.ChangeKind], _ after: [Document.ChangeKind], _ expected: Bool) {
        var count = ChangeCount()
        for kind in before { count.record(kind) }
        let mark = count.mark
        for kind in after { count.record(kind) }
        count.save(mark)
        #expect(count.hasUnsavedChanges == expected)
    }

    @Test("The record does not grow with the edits")
    func staysSmall() {
        var count = ChangeCount()
        for _ in 0..<10_000 {
            count.record(.done)
            count.record(.undone)
        }
        count.record(.done)
        #expect(count.branchCount <= 1)
    }
}
