extension Document {
    // MARK: News

    /// Has a look at what is stored, soon: never within the handling of a message, whose successor could be waiting for an answer
    /// without which the look does not get its turn.
    func scheduleRefresh() {
        guard phase == .open, refreshTask == nil else { return mustRefreshAgain = true }
        refreshTask = Task.detached { [weak self] in await self?.refresh() }
    }

    private func refresh() async {
        var deadlocks = 0
        repeat {
            mustRefreshAgain = false
            do { try await access { try await refreshOnce() } } catch {
                if (error as? DocumentsError)?.code == .deadlock, deadlocks < 10 {
                    deadlocks += 1
                    mustRefreshAgain = true
                    try? await Task.sleep(for: .milliseconds(10 << deadlocks))
                } else if !Task.isCancelled {
                    // What is here stays; it is tried again with the next news, and nothing is overwritten unseen.
                    handleError(error, userInteractionPermitted: false)
                }
            }
        } while mustRefreshAgain && phase == .open && !Task.isCancelled
        refreshTask = nil
    }

    private func refreshOnce() async throws {
        guard phase == .open, let document else { return }
        let stored = try await store.item(document)
        guard phase == .open, let known = item else { return }
        guard StoredDocument.differs(stored, from: known) else {
            // Its name, or what else is known of it.
            diverged = nil
            item = stored
            return
        }
        guard !changes.hasUnsavedChanges else { return await diverge(stored) }
        try await takeIn(document) { !$0.changes.hasUnsavedChanges }
    }

    /// Reads what is stored and loads it, with editing disabled meanwhile.
    ///
    /// - Parameter isWanted: asked when it has been read; if it is not wanted any more, it is in conflict.
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

    /// Two contents: what is here, unsaved, and what is stored. To be called in its turn among the document's own accesses.
    func diverge(_ stored: DocumentItem) async {
        // First, so that whoever hears of the conflict can rely on it.
        await keepSafe()
        guard phase == .open else { return dropKept() }
        autosaveTimer?.cancel()
        autosaveTimer = nil
        diverged = stored
    }

    /// What is here goes where it outlives this process. In its turn, because a save must not find its snapshot taken in between.
    func keepSafe() async {
        guard phase == .open, hasUnsavedChanges, let document, let contents = try? contents(forType: savingFileType),
            // Without it nothing is worse than before.
            let new = try? await store.keepSafe(contents, of: document)
        else { return }
        let old = kept
        kept = new
        await old?.drop()
    }

    /// What was kept of this side is stored, or not wanted any more.
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
            "\"\(stored.name)\" was changed by somebody else after it was last read. Both contents are kept.",
            suggestion: "Decide with resolveConflict(keepingCurrent:), or merge what storedContents() gives first.")
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
            // What came after it has not been seen.
            try await overwrite((seen ?? diverged).map(SaveReason.conflictResolved) ?? .asked)
        }
        // What the daemon keeps stays kept until somebody drops it (`docent versions`); it is announced no more.
        acceptedConflicts = item?.conflicts ?? 0
        let settled = conflictVersions
        conflictVersions = []
        // It is settled, whether others can be told or not.
        if let document { try? await store.announceResolved(settled, of: document) }
    }
}
