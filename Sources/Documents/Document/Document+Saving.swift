extension Document {
    /// Why it is saved.
    enum SaveReason {
        case asked, byItself, closing
        /// Somebody else waits for it: within the handling of a message, whose claim waits for the end.
        case forOthers
        /// What is stored has been seen, and is to be replaced.
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

    /// How long others are kept waiting for a save at most: less than the daemon gives a presenter.
    private static let othersWait: Duration = .seconds(10)

    // MARK: By itself

    /// One timer, from the first unsaved change on.
    func scheduleAutosave() {
        guard autosaveTimer == nil, phase == .open, hasUnsavedChanges else { return }
        let interval = autosavingInterval
        // Detached: a claim in whose messages the change was made is none of its concern.
        autosaveTimer = Task.detached { [weak self] in
            guard (try? await Task.sleep(for: interval)) != nil else { return }
            await self?.autosaveIsDue()
        }
    }

    private func autosaveIsDue() async {
        autosaveTimer = nil
        if diverged != nil {
            // Nothing is saved in a conflict, and nothing is lost.
            return await queue.run { if diverged != nil { await keepSafe() } }
        }
        // Whoever failed has told.
        try? await autosave()
    }

    // MARK: Saving

    func performSaving(to target: SaveTarget?, for operation: SaveOperation) async throws {
        switch operation {
        case .creating: try await create(at: target)
        case .overwriting:
            guard target == nil else {
                throw DocumentsError(
                    .invalidArgument, "A document is only overwritten where it is.",
                    suggestion: "Use save(to:for: .creating) for another place.")
            }
            try await overwrite(.asked)
        }
    }

    /// Saves what is here now.
    ///
    /// A save for others goes first. An access that still waits for its turn is withdrawn, because its turn would come after that of
    /// those others, who wait for this document; it is tried again when they are done, and then finds itself done, or in conflict
    /// (2.9, deadlock 3).
    func overwrite(_ reason: SaveReason) async throws {
        if reason.isForOthers {
            waitingAccess?.cancel()
            _ = try await queue.run(urgently: true) { hasUnsavedChanges ? try await overwriteOnce(reason) : true }
            return
        }
        var (isFirst, deadlocks) = (true, 0)
        while true {
            await relinquished.end()
            do {
                let isDone = try await queue.run {
                    guard isFirst || hasUnsavedChanges else { return true }
                    // Somebody has come while it waited for its turn here.
                    guard !relinquished.isGoingOn else { return false }
                    return try await overwriteOnce(reason)
                }
                if isDone { return }
                isFirst = false
            } catch let error as DocumentsError {
                // Another program waits for this one as this one does for it: one of the two has to step back.
                guard error.code == .deadlock, deadlocks < 10 else { throw error }
                deadlocks += 1
                try await Task.sleep(for: .milliseconds(10 << deadlocks))
            }
        }
    }

    /// - Returns: false if it was withdrawn for the sake of another save.
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
            // Told with the error; the next decision may refer to it.
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
        // Two that wait for each other: it is tried again after the other one.
        if code == .deadlock || (reason.isForOthers && code == .deadlineExceeded) { return }
        hasSavingError = true
        handleError(error, userInteractionPermitted: reason.permitsInteraction)
    }

    // MARK: Creating

    private func create(at place: SaveTarget?) async throws {
        guard let place = place ?? target else {
            throw DocumentsError(
                .invalidArgument, "Nothing says where the document is to be created.", suggestion: "Name a target.")
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
                let old = document
                await store.unregister(self)
                if let old { store.stopAccessing(old) }
                document = created
                presented.value = DocumentPlace(created.reference)
                hasSaved(item, token, .creating)
                phase = .open
                do { try await store.register(self) } catch {
                    // It is there, but nobody would tell what happens to it: open() is worth another try.
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
