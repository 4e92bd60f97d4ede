extension Document {
    /// Derives the state from the other properties.
    func updateState() {
        var new: State = phase == .open ? [] : .closed
        let keptVersions = (item?.conflicts ?? 0) > acceptedConflicts || !conflictVersions.isEmpty
        if phase == .open, diverged != nil || keptVersions { new.insert(.inConflict) }
        if hasSavingError { new.insert(.savingError) }
        if disabledCount > 0 { new.insert(.editingDisabled) }
        if isFetching { new.insert(.progressAvailable) }
        guard new != state else { return }
        state = new
        stateChanges.send(new)
    }

    // MARK: Opening

    func performOpening() async throws {
        guard phase == .closed else { throw DocumentsError(.invalidArgument, "The document is already open.") }
        guard let document else {
            throw DocumentsError(
                .invalidArgument, "The document has not been created yet.",
                suggestion: "Save it with save(for: .creating) first.")
        }
        relinquished.reset()
        (wasDeletedWhileOpening, mustRefreshAgain, hasSavingError) = (false, false, false)
        phase = .opening
        do {
            let stored = try await access { try await read(document, opening: true) }
            guard !wasDeletedWhileOpening else {
                throw DocumentsError(.notFound, "The document was deleted while it was being opened.")
            }
            try load(fromContents: stored.contents, ofType: stored.item.contentType)
            changes.record(.cleared)
            item = stored.item
            phase = .open
            // Changes that others made in between were only noted.
            if mustRefreshAgain { scheduleRefresh() }
        } catch {
            phase = .closed
            await store.unregister(self)
            store.stopAccessing(document)
            handleError(error, userInteractionPermitted: true)
            throw error
        }
    }

    /// Reads the stored document and reports progress. Call it in the access queue, within ``access(_:)``.
    ///
    /// - Throws: ``Withdrawn`` when a save for others has to go first.
    func read(_ document: SecurityScopedDocument, opening: Bool = false) async throws -> StoredDocument {
        readCount += 1
        let (number, reports) = (readCount, progressReports)
        defer { isFetching = false }
        defer { readCount += 1 }
        let cancellation = AccessCancellation()
        waitingAccess = cancellation
        defer { waitingAccess = nil }
        do {
            return try await store.read(document, opening: opening, for: self, cancellation: cancellation) {
                [weak self] progress in
                reports.send(progress)
                Task.detached { await self?.isBeingFetched(number) }
            }
        } catch let error as DocumentsError {
            guard error.code == .cancelled, cancellation.isCancelled, !Task.isCancelled else { throw error }
            throw Withdrawn()
        }
    }

    /// A waiting read made way for a save that others, who come before it, are waiting for.
    struct Withdrawn: Error {}

    /// Runs a read in the document's access queue, and repeats it when it was withdrawn.
    func access<Result>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            do { return try await queue.run(body) } catch is Withdrawn {}
        }
    }

    /// Progress of a read that has ended is ignored.
    private func isBeingFetched(_ number: Int) { if number == readCount { isFetching = true } }

    // MARK: Closing

    func performClosing(discarding: Bool) async throws {
        guard phase != .opening else { throw DocumentsError(.invalidArgument, "The document is still being opened.") }
        guard phase == .open else { return }
        refreshTask?.cancel()
        var mustSave = !discarding && hasUnsavedChanges
        while phase == .open {
            if mustSave { try await overwrite(.closing) }
            // In the access queue, so that nothing is in progress afterwards; edits made meanwhile are saved too.
            await queue.run { if discarding || !changes.hasUnsavedChanges { stopPresenting() } }
            mustSave = true
        }
        await letGo()
    }

    /// Stops counting changes, saving and reporting.
    func stopPresenting() {
        autosaveTimer?.cancel()
        autosaveTimer = nil
        refreshTask?.cancel()
        relinquished.reset()
        (diverged, seen, conflictVersions, hasSavingError) = (nil, nil, [], false)
        changes.record(.cleared)
        phase = .closed
    }

    func letGo() async {
        await store.unregister(self)
        await dropping?.value
        if let document, phase == .closed { store.stopAccessing(document) }
    }
}
