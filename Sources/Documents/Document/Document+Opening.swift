extension Document {
    /// The state follows from everything else.
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
        guard phase == .closed else { throw DocumentsError(.invalidArgument, "The document is open already.") }
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
            // What others did in between has only been noted.
            if mustRefreshAgain { scheduleRefresh() }
        } catch {
            phase = .closed
            await store.unregister(self)
            store.stopAccessing(document)
            handleError(error, userInteractionPermitted: true)
            throw error
        }
    }

    /// Reads what is stored, telling progress. To be called in its turn, within ``access(_:)``.
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

    /// A read that waited for its turn has made way for a save for others, which those wait for who come before it.
    struct Withdrawn: Error {}

    /// Runs a read in its turn among the document's own accesses, and again when it was withdrawn.
    func access<Result>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            do { return try await queue.run(body) } catch is Withdrawn {}
        }
    }

    /// What was told of a read that has ended is of no interest.
    private func isBeingFetched(_ number: Int) { if number == readCount { isFetching = true } }

    // MARK: Closing

    func performClosing(discarding: Bool) async throws {
        guard phase != .opening else { throw DocumentsError(.invalidArgument, "The document is still being opened.") }
        guard phase == .open else { return }
        refreshTask?.cancel()
        var mustSave = !discarding && hasUnsavedChanges
        while phase == .open {
            if mustSave { try await overwrite(.closing) }
            // In its turn, so that nothing is under way afterwards; what was edited meanwhile is saved too.
            await queue.run { if discarding || !changes.hasUnsavedChanges { stopPresenting() } }
            mustSave = true
        }
        await letGo()
    }

    /// Nothing is counted, saved or told any more.
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
