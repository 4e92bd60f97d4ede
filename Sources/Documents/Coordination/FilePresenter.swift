/// Shows or edits a document while others may read and write it.
///
/// Messages arrive in order; each is delivered after the previous one was handled. A message without a handler is
/// ignored; for items in a presented folder it becomes ``presentedItemDidChange(_:)``. Claims that a handler makes are
/// recognised as such: saving within ``savePresentedItemChanges()`` does not wait for the reader that waits for it.
///
/// ```swift
/// try await client.addFilePresenter(editor)
/// ```
public protocol FilePresenter: AnyObject, Sendable {
    /// The presented item; nil while there is none. It is read from any thread: when the presenter is added, after a
    /// coordinated access with this presenter, and after a restart of the daemon.
    var presentedItem: DocumentPlace? { get }

    /// The thread that runs the handlers, if the program may block it: ``PresenterThread/main`` for a presenter
    /// isolated to the main actor. Nil by default.
    var blocksThread: PresenterThread? { get }

    /// A reader is about to read. Returning lets it proceed.
    ///
    /// - Returns: a function that is called when the reader is done. Do not write before that.
    func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)?

    /// A writer is about to write. Returning lets it proceed.
    ///
    /// - Returns: a function that is called when the writer is done, after its changes were reported. Do not write
    ///   before that.
    func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)?

    /// Save all unsaved changes now. An error makes the requesting claim fail with it.
    func savePresentedItemChanges() async throws

    /// The item is about to be deleted or replaced. An error prevents it.
    func accommodatePresentedItemDeletion() async throws

    /// An item in the presented package or folder is about to be deleted. An error prevents it.
    func accommodatePresentedSubitemDeletion(at item: DocumentReference) async throws

    /// The local content is about to be removed. An error prevents it.
    func accommodatePresentedItemEviction() async throws

    /// The content or attributes have changed. Compare the version before reading again.
    func presentedItemDidChange(_ change: PresentedChange) async

    /// The item or a folder around it was renamed or moved: its name and type may have changed. The reference usually
    /// stays the same.
    func presentedItemDidMove(to item: DocumentReference, _ change: PresentedChange) async

    /// The item was deleted.
    func presentedItemDidDelete(_ change: PresentedChange) async

    /// A version of the item was added.
    func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async

    /// A version of the item was removed.
    func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async

    /// A version of the item is no longer a conflict.
    func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async

    /// An item appeared in the presented folder.
    func presentedSubitemDidAppear(at item: DocumentReference, _ change: PresentedChange) async

    /// An item in the presented folder has changed or was deleted.
    func presentedSubitemDidChange(at item: DocumentReference, _ change: PresentedChange) async

    /// An item in the presented folder was renamed or moved.
    func presentedSubitem(
        at item: DocumentReference, didMoveTo newItem: DocumentReference, _ change: PresentedChange) async

    /// A version of an item in the presented folder was added.
    func presentedSubitem(
        at item: DocumentReference, didGainVersion version: String, _ change: PresentedChange) async

    /// A version of an item in the presented folder was removed.
    func presentedSubitem(
        at item: DocumentReference, didLoseVersion version: String, _ change: PresentedChange) async

    /// A version of an item in the presented folder is no longer a conflict.
    func presentedSubitem(
        at item: DocumentReference, didResolveConflict version: String, _ change: PresentedChange) async
}
