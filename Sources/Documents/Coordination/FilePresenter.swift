/// Shows or edits a document, and lets others read and write it (J1, J2).
///
/// Messages come one after another, in order, each after the former was handled. What is not implemented does nothing; for items
/// in a presented folder it becomes ``presentedItemDidChange(_:)``. Claims that a handler makes are told apart from those of
/// others, so that saving within ``savePresentedItemChanges()`` does not wait for the reader that waits for it.
///
/// ```swift
/// try await client.addFilePresenter(editor)
/// ```
public protocol FilePresenter: AnyObject, Sendable {
    /// What is presented; nil while there is nothing yet. Read from any thread: when it is added, after a coordinated access made
    /// with this presenter, and when the daemon has been restarted.
    var presentedItem: DocumentPlace? { get }

    /// The thread on which the handlers run, if the program blocks it at times; ``PresenterThread/main`` for a presenter isolated
    /// to the main actor. Nil unless implemented.
    var blocksThread: PresenterThread? { get }

    /// Somebody is about to read. Returning says: go ahead.
    ///
    /// - Returns: called when the reader is done.
    func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)?

    /// Somebody is about to write. Returning says: go ahead; nothing should be written until the reader is done.
    ///
    /// - Returns: called when the writer is done, after what it did was told.
    func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)?

    /// What is not saved is to be saved now. Throwing fails the claim that asks, with this error.
    func savePresentedItemChanges() async throws

    /// The item is about to be deleted or replaced. Throwing prevents it.
    func accommodatePresentedItemDeletion() async throws

    /// An item in the presented package or folder is about to be deleted. Throwing prevents it.
    func accommodatePresentedSubitemDeletion(at item: DocumentReference) async throws

    /// The local content is about to be removed. Throwing prevents it.
    func accommodatePresentedItemEviction() async throws

    /// Content or attributes have changed; compare the version before reading again.
    func presentedItemDidChange(_ change: PresentedChange) async

    /// The item, or a folder around it, was renamed or moved: ask for its name and type again. The reference usually stays as it was.
    func presentedItemDidMove(to item: DocumentReference, _ change: PresentedChange) async

    /// The item is gone.
    func presentedItemDidDelete(_ change: PresentedChange) async

    /// A version was kept of the item.
    func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async

    /// A kept version is gone.
    func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async

    /// A kept version is no conflict any more.
    func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async

    /// Something appeared in the presented folder.
    func presentedSubitemDidAppear(at item: DocumentReference, _ change: PresentedChange) async

    /// Something in the presented folder has changed or is gone.
    func presentedSubitemDidChange(at item: DocumentReference, _ change: PresentedChange) async

    /// Something in the presented folder was renamed or moved.
    func presentedSubitem(
        at item: DocumentReference, didMoveTo newItem: DocumentReference, _ change: PresentedChange) async

    /// A version was kept of something in the presented folder.
    func presentedSubitem(
        at item: DocumentReference, didGainVersion version: String, _ change: PresentedChange) async

    /// A kept version of something in the presented folder is gone.
    func presentedSubitem(
        at item: DocumentReference, didLoseVersion version: String, _ change: PresentedChange) async

    /// A kept version of something in the presented folder is no conflict any more.
    func presentedSubitem(
        at item: DocumentReference, didResolveConflict version: String, _ change: PresentedChange) async
}
