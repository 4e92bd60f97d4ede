/// What a document needs of a program's undo manager, whichever it is.
///
/// ``Document/undoManager`` sets ``changeHandler`` and counts the changes that it reports. The program then does not
/// call ``Document/updateChangeCount(_:)`` itself.
@MainActor
public protocol DocumentUndoManager: AnyObject {
    /// Call this after each change, once for a group of changes that are undone together: with `done` when a group
    /// ends, `undone` when one was undone, and `redone` when one was redone.
    var changeHandler: (@MainActor @Sendable (Document.ChangeKind) -> Void)? { get set }

    /// Forgets everything that could be undone or redone, because the contents were replaced by the stored ones.
    func removeAllActions()
}
