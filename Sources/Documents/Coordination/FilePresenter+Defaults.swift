extension FilePresenter {
    /// Returns nil.
    public var blocksThread: PresenterThread? { nil }

    /// Lets the reader proceed at once.
    public func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? { nil }

    /// Lets the writer proceed at once.
    public func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? { nil }

    /// Returns at once: there is nothing to save.
    public func savePresentedItemChanges() async throws {}

    /// Allows the deletion.
    public func accommodatePresentedItemDeletion() async throws {}

    /// Allows the deletion.
    public func accommodatePresentedSubitemDeletion(at item: DocumentReference) async throws {}

    /// Allows the eviction.
    public func accommodatePresentedItemEviction() async throws {}

    /// Does nothing.
    public func presentedItemDidChange(_ change: PresentedChange) async {}

    /// Does nothing.
    public func presentedItemDidMove(to item: DocumentReference, _ change: PresentedChange) async {}

    /// Does nothing.
    public func presentedItemDidDelete(_ change: PresentedChange) async {}

    /// Does nothing.
    public func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async {}

    /// Does nothing.
    public func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async {}

    /// Does nothing.
    public func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async {}

    /// Reports a change of the folder.
    public func presentedSubitemDidAppear(at item: DocumentReference, _ change: PresentedChange) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// Reports a change of the folder.
    public func presentedSubitemDidChange(at item: DocumentReference, _ change: PresentedChange) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// Reports a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didMoveTo newItem: DocumentReference, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// Reports a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didGainVersion version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// Reports a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didLoseVersion version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// Reports a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didResolveConflict version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }
}

extension PresentedChange {
    /// The same change, reported for the containing folder, without the version, which is not the folder's.
    fileprivate var ofFolder: PresentedChange { PresentedChange(cause: cause, isUncoordinated: isUncoordinated) }
}
