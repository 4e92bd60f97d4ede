extension Document {
    /// The document's item, by its identifier; nil while it has not been created.
    public nonisolated var presentedItem: DocumentPlace? { presented.value }

    /// Messages are handled on the main actor: blocking the main thread in a coordinated access would hold them back (2.9,
    /// deadlock 1).
    public nonisolated var blocksThread: PresenterThread? { .main }

    // MARK: Others read and write

    /// Saves first (3.6); so the reader gets what is here.
    public func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        // What goes wrong is told by savePresentedItemChanges, which follows where the reader wants the newest.
        try? await saveForOthers()
        let number = relinquished.begin()
        return { [weak self] in await self?.relinquished.reacquire(number) }
    }

    /// Afterwards looks at what was written. Nothing is saved: a writer that wants to come on top of what is here asks for it by
    /// `forMerging`, and any other would replace what it has never seen (2.4).
    public func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        let number = relinquished.begin()
        return { [weak self] in
            await self?.scheduleRefresh()
            await self?.relinquished.reacquire(number)
        }
    }

    /// Saves what is unsaved.
    ///
    /// - Throws: why that fails; whoever wants to read gets told.
    public func savePresentedItemChanges() async throws { try await saveForOthers() }

    /// A conflict keeps nobody from reading what is stored, and what is about to be replaced by that is not saved.
    ///
    /// Nor is anything saved while another document of this program saves the same item for others: each of the two saves would ask
    /// the other document, and wait for it (2.9, deadlock 8). The one that comes second finds itself in conflict afterwards.
    private func saveForOthers() async throws {
        guard phase == .open, hasUnsavedChanges, diverged == nil, !isReverting, let reference = document?.reference,
            Self.savedForOthers.insert(reference).inserted
        else { return }
        defer { Self.savedForOthers.remove(reference) }
        do { try await overwrite(.forOthers) } catch let error as DocumentsError {
            if error.code != .conflict { throw error }
        }
    }

    // MARK: News

    /// Takes in what others have written, unless there are unsaved changes: then the document is in conflict.
    public func presentedItemDidChange(_ change: PresentedChange) async {
        if let version = change.version, version == item?.version, diverged == nil { return }
        scheduleRefresh()
    }

    // MARK: Deletion

    /// Somebody is about to delete or replace the document: it is closed.
    public func accommodatePresentedItemDeletion() async throws { wasDeleted() }

    /// It was deleted without asking.
    public func presentedItemDidDelete(_ change: PresentedChange) async { wasDeleted() }

    /// Its local copy may go when everything is saved.
    public func accommodatePresentedItemEviction() async throws { try await saveForOthers() }

    private func wasDeleted() {
        wasDeletedWhileOpening = true
        guard phase == .open else { return }
        let unsaved = hasUnsavedChanges ? try? contents(forType: savingFileType) : nil
        stopPresenting()
        // After this message has been answered.
        Task.detached { await self.letGo() }
        documentWasDeleted(unsavedContents: unsaved)
    }

    // MARK: Moves

    /// Goes on where the document is now, with its new name and type (M7).
    public func presentedItemDidMove(to item: DocumentReference, _ change: PresentedChange) async {
        guard phase != .closed, let old = document else { return }
        if item != old.reference {
            document = SecurityScopedDocument(reference: item, access: old.access, client: client)
            presented.value = DocumentPlace(item)
            store.stopAccessing(old)
        }
        scheduleRefresh()
    }

    // MARK: Versions

    /// Two changes met, and one is kept as a version.
    public func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async {
        if !conflictVersions.contains(version) { conflictVersions.append(version) }
    }

    /// A kept version is gone.
    public func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async { forget(version) }

    /// Somebody decided about a kept version.
    public func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async { forget(version) }

    private func forget(_ version: String) {
        conflictVersions.removeAll { $0 == version }
        scheduleRefresh()
    }
}
