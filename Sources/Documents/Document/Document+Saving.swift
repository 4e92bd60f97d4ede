extension Document {
    /// Why the document is saved.
    enum SaveReason {
        case asked, byItself, closing
        /// Someone waits for it. It runs while a message is handled, and the claim behind the message waits for it to
        /// end.
        case forOthers
        /// The user has seen the stored contents, and this save replaces them.
        case conflictResolved(DocumentItem)

        var permitsInteraction: Bool {
            switch self {
            case .asked, .conflictResolved: true
            case .byItself, .closing, .forOthers: false
            }
        }

        var isForOthers: Bool {
            if case .forOthers = self { true } else { false }
        }
    }

    /// The longest time that others wait for a save; shorter than the daemon's limit for a presenter.
    private static let othersWait: Duration = .seconds(10)

    // MARK: Autosaving

    /// Starts one timer, at the first unsaved change.
    func scheduleAutosave() {
        guard autosaveTimer == nil, phase == .open, hasUnsavedChanges else { return }
        let interval = autosavingInterval
        // Detached, so that it does not inherit a claim in whose messages the change was made.
        autosaveTimer = Task.detached { [weak self] in
            guard (try? await Task.sleep(for: interval)) != nil else { return }
            await self?.autosaveIsDue()
        }
    }

    private func autosaveIsDue() async {
        autosaveTimer = nil
        if diverged != nil {
            // A conflict is not saved, but nothing is lost.
            return await queue.run { if diverged != nil { await keepSafe() } }
        }
        // A failed save has already reported its error.
        try? await autosave()
    }

    // MARK: Saving

    func performSaving(to target: SaveTarget?, for operation: SaveOperation) async throws {
        switch operation {
        case .creating: try await create(at: target)
        case .overwriting:
            guard target == nil else {
                throw DocumentsError(
                    .invalidArgument, "A document can only be overwritten in its own place.",
                    suggestion: "Use save(to:for: .creating) for another place.")
            }
            try await overwrite(.asked)
        }
    }

    /// Saves the current contents.
    ///
    /// A save for others goes first. It withdraws an access that is still waiting for its turn, because that turn would
    /// come after the others, who wait for this document. The withdrawn access is retried when they are done; it then
    /// finds nothing left to do, or a conflict.
    func overwrite(_ reason: SaveReason) async throws {
        if reason.isForOthers {
            waitingAccess?.cancel()
            _ = try await queue.runUrgently { hasUnsavedChanges ? try await overwriteOnce(reason) : true }
            return
        }
        var (isFirst, deadlocks) = (true, 0)
        while true {
            await relinquished.end()
            do {
                let isDone = try await queue.run {
                    guard isFirst || hasUnsavedChanges else { return true }
                    // Someone else has taken the file while this waited for its turn.
                    guard !relinquished.isGoingOn else { return false }
                    return try await overwriteOnce(reason)
                }
                if isDone { return }
                isFirst = false
            } catch let error as DocumentsError {
                // Another program and this one wait for each other; one of them must back off.
                guard error.code == .deadlock, deadlocks < 10 else { throw error }
                deadlocks += 1
                try await Task.sleep(for: .milliseconds(10 << deadlocks))
            }
        }
    }

    /// Saves once.
    ///
    /// - Returns: false if it was withdrawn in favour of another save.
    private func overwriteOnce(_ reason: SaveReason) async throws -> Bool {
        guard phase == .open, let document else {
            throw DocumentsError(
                .invalidArgument, "The document is not open.", suggestion: "Open it, or save it with .creating.")
        }
        var base = item
        if case .conflictResolved(let seen) = reason { base = seen } else if let diverged { throw conflict(diverged) }
        let cancellation = AccessCancellation()
        do {
            let token = changeCountToken(for: .overwriting)
            let writing = DocumentWriting(
                contents: try contents(forType: savingFileType),
                attributes: try fileAttributesToWrite(for: .overwriting), base: base, cancellation: cancellation,
                deadline: reason.isForOthers ? Self.othersWait : nil)
            if !reason.isForOthers { waitingAccess = cancellation }
            defer { waitingAccess = nil }
            hasSaved(try await store.overwrite(document, with: writing, for: self), token, .overwriting)
            return true
        } catch let error as StoredDocument.Diverged {
            await diverge(error.item)
            // The error reports this item; the next decision may refer to it.
            seen = nil
            throw conflict(error.item)
        } catch {
            if cancellation.isCancelled, (error as? DocumentsError)?.code == .cancelled { return false }
            savingFailed(error, reason)
            throw error
        }
    }

    private func hasSaved(_ saved: DocumentItem, _ token: ChangeCountToken, _ operation: SaveOperation) {
        updateChangeCount(withToken: token, for: operation)
        item = saved
        (diverged, seen) = (nil, nil)
        hasSavingError = false
        if !hasUnsavedChanges {
            autosaveTimer?.cancel()
            autosaveTimer = nil
        }
        scheduleAutosave()
    }

    private func savingFailed(_ error: any Error, _ reason: SaveReason) {
        let code = (error as? DocumentsError)?.code
        guard !(error is CancellationError), code != .cancelled else { return }
        scheduleAutosave()
        // Two documents wait for each other; this save is retried after the other one.
        if code == .deadlock || (reason.isForOthers && code == .deadlineExceeded) { return }
        hasSavingError = true
        handleError(error, userInteractionPermitted: reason.permitsInteraction)
    }

    // MARK: Creating

    /// Releases the former document after the contents were stored at another place.
    ///
    /// Others who ask for a save are answered at once: a save for them would wait for this turn, which waits for the
    /// handlers of their messages to end.
    private func leave() async {
        await queue.dismissingUrgent { await store.unregister(self) }
        relinquished.reset()
        if let document { store.stopAccessing(document) }
    }

    private func create(at place: SaveTarget?) async throws {
        guard let place = place ?? target else {
            throw DocumentsError(
                .invalidArgument, "There is no target to create the document at.", suggestion: "Name a target.")
        }
        guard phase != .opening else { throw DocumentsError(.invalidArgument, "The document is still being opened.") }
        try await queue.run {
            do {
                target = place
                let token = changeCountToken(for: .creating)
                let writing = DocumentWriting(
                    contents: try contents(forType: savingFileType),
                    attributes: try fileAttributesToWrite(for: .creating), base: nil,
                    cancellation: AccessCancellation(),
                    deadline: nil)
                let (created, item) = try await store.create(at: place, with: writing, for: self)
                await leave()
                document = created
                presented.value = DocumentPlace(created.reference)
                hasSaved(item, token, .creating)
                phase = .open
                do { try await store.register(self) } catch {
                    // The document exists, but changes to it would not be reported: the caller should try open().
                    stopPresenting()
                    throw error
                }
                // It may have been changed between its creation and now.
                scheduleRefresh()
                scheduleAutosave()
            } catch {
                savingFailed(error, .asked)
                throw error
            }
        }
    }
}
