import Testing

@testable import Documents

@Suite("Document: change counting")
struct DocumentChangeCountTests {
    @Test(
        "M6: what was done and undone tells whether the contents are the saved ones",
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
            // Another edit instead of the one that was saved: as many edits, other contents.
            ([.done, .cleared, .undone, .done], true),
            ([.done, .cleared, .undone, .done, .undone, .redone], true),
            ([.done, .done, .cleared, .undone, .undone, .done, .done], true),
            ([.done, .cleared, .undone, .done, .cleared], false),
            // An edit after undoing above what was saved leaves that within reach.
            ([.done, .cleared, .done, .undone, .done, .undone], false),
        ] as [([Document.ChangeKind], Bool)])
    func hasUnsavedChanges(_ kinds: [Document.ChangeKind], _ expected: Bool) {
        var count = ChangeCount()
        for kind in kinds { count.record(kind) }
        #expect(count.hasUnsavedChanges == expected)
    }

    @Test(
        "M6: a token saves what was counted when it was taken, not what came later",
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

    @Test("What is remembered does not grow with the edits")
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
