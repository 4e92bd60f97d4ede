extension FilePresenter {
    /// None.
    public var blocksThread: PresenterThread? { nil }

    /// Goes ahead.
    public func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? { nil }

    /// Goes ahead.
    public func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? { nil }

    /// Has nothing to save.
    public func savePresentedItemChanges() async throws {}

    /// Agrees.
    public func accommodatePresentedItemDeletion() async throws {}

    /// Agrees.
    public func accommodatePresentedSubitemDeletion(at item: DocumentReference) async throws {}

    /// Agrees.
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

    /// As a change of the folder.
    public func presentedSubitemDidAppear(at item: DocumentReference, _ change: PresentedChange) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// As a change of the folder.
    public func presentedSubitemDidChange(at item: DocumentReference, _ change: PresentedChange) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// As a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didMoveTo newItem: DocumentReference, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// As a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didGainVersion version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// As a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didLoseVersion version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }

    /// As a change of the folder.
    public func presentedSubitem(
        at item: DocumentReference, didResolveConflict version: String, _ change: PresentedChange
    ) async {
        await presentedItemDidChange(change.ofFolder)
    }
}

extension PresentedChange {
    /// The same change, told of the folder that it happened in: the version is not the folder's.
    fileprivate var ofFolder: PresentedChange { PresentedChange(cause: cause, isUncoordinated: isUncoordinated) }
}
