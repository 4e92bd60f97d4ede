extension Document {
    // MARK: Stored changes

    /// Schedules a check of the stored document. It never runs while a message is handled: the check would wait for its
    /// turn, which may depend on the answer to the next message.
    func scheduleRefresh() {
        guard phase == .open, refreshTask == nil else { return mustRefreshAgain = true }
        refreshTask = Task.detached { [weak self] in await self?.refresh() }
    }

    private func refresh() async {
        var failures = 0
        repeat {
            mustRefreshAgain = false
            do {
                try await access { try await refreshOnce() }
                failures = 0
            } catch {
                if !Task.isCancelled, failures < Self.mostRepetitions(after: error) {
                    failures += 1
                    mustRefreshAgain = true
                    try? await Task.sleep(for: .milliseconds(10 << failures))
                } else if !Task.isCancelled {
                    // The contents stay as they are. The next notification tries again, and nothing is overwritten
                    // unseen.
                    handleError(error, userInteractionPermitted: false)
                }
            }
        } while mustRefreshAgain && phase == .open && !Task.isCancelled
        refreshTask = nil
    }

    /// How often a check is repeated after an error that passes: nobody might report the same change again. Two that
    /// wait for each other need more time than a daemon that is busy or starts again.
    private static func mostRepetitions(after error: any Error) -> Int {
        guard let error = error as? DocumentsError else { return 0 }
        return switch error.code {
        case .deadlock: 10
        case .unavailable, .conflict, .cancelled, .claimLost, .deadlineExceeded: 6
        default: 0
        }
    }

    private func refreshOnce() async throws {
        guard phase == .open, let document else { return }
        let stored = try await store.item(document)
        guard phase == .open, let known = item else { return }
        guard StoredDocument.differs(stored, from: known) else {
            // Only its name or other metadata has changed.
            diverged = nil
            item = stored
            // What is settled is not counted any more, and the next conflict must not be taken for it.
            acceptedConflicts = min(acceptedConflicts, stored.conflicts)
            return
        }
        guard !changes.hasUnsavedChanges else { return await diverge(stored) }
        try await takeIn(document) { !$0.changes.hasUnsavedChanges }
    }

    /// Reads the stored contents and loads them, with editing disabled meanwhile.
    ///
    /// - Parameter isWanted: asked after reading; when it returns false, the document is in conflict.
    private func takeIn(_ document: SecurityScopedDocument, _ isWanted: (Document) -> Bool) async throws {
        isReverting = true
        disabledCount += 1
        disableEditing()
        defer {
            isReverting = false
            disabledCount -= 1
            enableEditing()
        }
        let stored = try await read(document)
        guard phase == .open else { return }
        guard isWanted(self) else { return await diverge(stored.item) }
        try load(fromContents: stored.contents, ofType: stored.item.contentType)
        undoManager?.removeAllActions()
        changes.record(.cleared)
        item = stored.item
        (diverged, seen) = (nil, nil)
        hasSavingError = false
    }

    func performReverting(to other: SecurityScopedDocument?) async throws {
        try await access {
            guard phase == .open, let document else {
                throw DocumentsError(.invalidArgument, "The document is not open.", suggestion: "Open it first.")
            }
            do {
                guard let other, other.reference != document.reference else {
                    return try await takeIn(document) { _ in true }
                }
                let stored = try await read(other)
                try load(fromContents: stored.contents, ofType: stored.item.contentType)
                undoManager?.removeAllActions()
                updateChangeCount(.done)
            } catch let error as Withdrawn {
                throw error
            } catch {
                handleError(error, userInteractionPermitted: true)
                throw error
            }
        }
    }

    // MARK: Conflicts

    /// Records a conflict between the unsaved contents here and the stored ones. Call it within the document's own
    /// access queue.
    func diverge(_ stored: DocumentItem) async {
        // First, so that observers of the conflict can rely on it.
        await keepSafe()
        guard phase == .open else { return dropKept() }
        autosaveTimer?.cancel()
        autosaveTimer = nil
        diverged = stored
    }

    /// Stores the unsaved contents where they survive this process. Runs in the access queue, because no save may take
    /// its snapshot in between.
    func keepSafe() async {
        guard phase == .open, hasUnsavedChanges, let document, let contents = try? contents(forType: savingFileType),
            // A failure leaves things as they were.
            let new = try? await store.keepSafe(contents, of: document)
        else { return }
        let old = kept
        kept = new
        await old?.drop()
    }

    /// Drops the kept contents, which are stored or no longer wanted.
    func dropKept() {
        guard let kept else { return }
        self.kept = nil
        let before = dropping
        dropping = Task.detached {
            await before?.value
            await kept.drop()
        }
    }

    func conflict(_ stored: DocumentItem) -> DocumentsError {
        DocumentsError(
            .conflict,
            "\"\(stored.name)\" was changed by someone else after it was last read. Both contents are kept.",
            suggestion: "Decide with resolveConflict(keepingCurrent:), or merge the result of storedContents() first.")
    }

    func readStoredContents() async throws -> DocumentContents {
        guard phase == .open, let document else {
            throw DocumentsError(.invalidArgument, "The document is not open.", suggestion: "Open it first.")
        }
        return try await access {
            let stored = try await read(document)
            seen = stored.item
            if diverged != nil { diverged = stored.item }
            return stored.contents
        }
    }

    func endConflict(keepingCurrent: Bool) async throws {
        if keepingCurrent {
            if diverged != nil { try await performReverting(to: nil) }
        } else {
            // Later changes have not been seen.
            try await overwrite((seen ?? diverged).map(SaveReason.conflictResolved) ?? .asked)
        }
        // The versions that the daemon keeps stay for a while (`docent history`), but are no longer announced.
        acceptedConflicts = item?.conflicts ?? 0
        let settled = conflictVersions
        conflictVersions = []
        // The conflict is settled even if others cannot be notified.
        if let document { try? await store.announceResolved(settled, of: document) }
    }
}
