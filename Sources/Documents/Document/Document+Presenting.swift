extension Document {
    /// The reference of the document's item; nil while it has not been created.
    public nonisolated var presentedItem: DocumentPlace? { presented.value }

    /// Messages are handled on the main actor, so blocking the main thread in a coordinated access would delay them.
    public nonisolated var blocksThread: PresenterThread? { .main }

    // MARK: Others read and write

    /// Saves first, so that the reader gets the current contents.
    public func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        // savePresentedItemChanges reports an error. It follows when the reader wants the newest contents.
        try? await saveForOthers()
        let number = relinquished.begin()
        return { [weak self] in await self?.relinquished.reacquire(number) }
    }

    /// Checks the stored document after the write. Nothing is saved before it: a writer that builds on the current
    /// contents asks with `forMerging`, and any other writer would replace contents that it has never seen.
    public func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        let number = relinquished.begin()
        return { [weak self] in
            await self?.scheduleRefresh()
            await self?.relinquished.reacquire(number)
        }
    }

    /// Saves unsaved changes.
    ///
    /// - Throws: the reason why that failed, which is reported to the reader.
    public func savePresentedItemChanges() async throws { try await saveForOthers() }

    /// A conflict does not stop others from reading what is stored, and contents that are about to be replaced are not
    /// saved.
    ///
    /// Nothing is saved either while another document in this program saves the same item for others: each of the two
    /// saves would ask the other document and wait for it. The second document then finds itself in conflict.
    private func saveForOthers() async throws {
        guard phase == .open, hasUnsavedChanges, diverged == nil, !isReverting, let reference = document?.reference,
            Self.savedForOthers.insert(reference).inserted
        else { return }
        defer { Self.savedForOthers.remove(reference) }
        do { try await overwrite(.forOthers) } catch let error as DocumentsError {
            if error.code != .conflict { throw error }
        }
    }

    // MARK: Changes

    /// Loads what others have written. With unsaved changes, the document is in conflict instead.
    public func presentedItemDidChange(_ change: PresentedChange) async {
        if let version = change.version, version == item?.version, diverged == nil { return }
        scheduleRefresh()
    }

    // MARK: Deletion

    /// Closes the document, because it is about to be deleted or replaced.
    public func accommodatePresentedItemDeletion() async throws { wasDeleted() }

    /// Closes the document, because it was deleted without coordination.
    public func presentedItemDidDelete(_ change: PresentedChange) async { wasDeleted() }

    /// Allows the local copy to be removed once everything is saved.
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

    /// Follows the document to its new place, with its new name and type.
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

    /// Records a version that was kept because of conflicting changes.
    public func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async {
        if !conflictVersions.contains(version) { conflictVersions.append(version) }
    }

    /// Forgets a version that was removed.
    public func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async { forget(version) }

    /// Forgets a version whose conflict was resolved.
    public func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async { forget(version) }

    private func forget(_ version: String) {
        conflictVersions.removeAll { $0 == version }
        scheduleRefresh()
    }
}
