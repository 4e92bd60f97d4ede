/// What a document needs of a program's undo manager (M6), whichever it is.
///
/// ``Document/undoManager`` takes one, sets its ``changeHandler`` and then counts changes by what it is told; the program does not
/// call ``Document/updateChangeCount(_:)`` itself then.
@MainActor
public protocol DocumentUndoManager: AnyObject {
    /// To be called after each change, once for a group of changes that are undone together: with `done` when a group ends, with
    /// `undone` when one was undone, with `redone` when it was done again.
    var changeHandler: (@MainActor @Sendable (Document.ChangeKind) -> Void)? { get set }

    /// Forgets everything that could be undone or redone: the contents have been replaced by those that are stored.
    func removeAllActions()
}
