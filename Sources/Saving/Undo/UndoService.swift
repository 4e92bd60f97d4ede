package import DocentInterfaces
package import FoundationEssentials
package import HostCore
package import Records
import RemoteDocuments
import Rights

/// Takes the user's last change back. Whatever is newer than the change is never replaced or moved.
package struct UndoService: Sendable {
    private static let deepest = 256
    private static let page = 200

    /// Makes a kept version the content of a document, by a save with that name.
    package typealias PutBack =
        @Sendable (
            _ session: Session, _ item: Wire.Item, _ version: String, _ operation: String
        ) async throws -> Wire.Item

    private let store: UndoStore
    private let mover: ItemMover
    private let trash: TrashCan
    private let journal: OperationJournal
    private let versions: KeptVersionStore
    private let putBack: PutBack

    /// Uses the host's services.
    package init(
        store: UndoStore, mover: ItemMover, trash: TrashCan, journal: OperationJournal, versions: KeptVersionStore,
        putBack: @escaping PutBack
    ) {
        self.store = store
        self.mover = mover
        self.trash = trash
        self.journal = journal
        self.versions = versions
        self.putBack = putBack
    }

    private var gateway: DocumentGateway { trash.gateway }
    private var parts: RemoteParts { trash.parts }

    /// The last change that was not taken back, with what stands in the way; nil if none is recorded.
    package func last() async throws -> Wire.Change? {
        guard let change = try await store.last() else { return nil }
        var obstacle: String?
        // If its provider does not answer, what stands in the way is found out when the change is taken back.
        if let now = try? await situation(of: change), case .refuse(let found) = UndoDecision(change, now) {
            obstacle = Self.text(found, change)
        }
        try Task.checkCancellation()
        return await described(change, obstacle)
    }

    /// Takes a change back.
    ///
    /// - Returns: the change, and the item as it is now.
    /// - Throws: ``Failure``: `Conflict` if it is not the last change or something newer stands in the way.
    package func undo(_ session: Session, _ id: String) async throws -> (change: Wire.Change, item: Wire.Item?) {
        if let done = try await store.undone(id) {
            return (await described(done, nil), try? await gateway.item(current(done)))
        }
        guard let change = try await store.last() else {
            throw Failure(.notFound, "There is no change to take back.")
        }
        guard change.id == id else {
            throw Failure(
                .conflict, "Another change was made meanwhile; only the last one can be taken back.",
                suggestion: "Repeat `docent undo`: it shows the last change.")
        }
        let item = try await carryOut(change, session)
        // A move has recorded it already.
        try await store.markUndone(change.id)
        return (await described(change, nil), item)
    }

    private func carryOut(
        _ change: UndoableChange, _ session: Session, isLast: Bool = true
    ) async throws -> Wire.Item {
        let operation = UndoableChange.undoing + change.id
        var now = try await situation(of: change)
        if !isLast, !now.hasSavedContent { now.hasSavedContent = try await isOwnContent(change) }
        switch UndoDecision(change, now) {
        case .nothing:
            return try await gateway.item(current(change))
        case .restore(let trashed):
            return try await trash.restore(
                trashed, in: DomainKey(change.key), to: formerFolder(change), name: change.formerName,
                operation: operation)
        case .moveBack:
            return try await mover.move(
                session, current(change), to: formerFolder(change), name: change.formerName, operation: operation,
                undoing: change.id)
        case .putBack(let version):
            return try await putBack(session, gateway.bare(current(change)), version, operation)
        case .refuse(let obstacle):
            throw Failure(
                .conflict,
                "The \(isLast ? "last " : "")change cannot be taken back: \(Self.text(obstacle, change))",
                suggestion: Self.suggestion(obstacle), provider: change.key.provider)
        }
    }

    // MARK: What one client did

    /// A page of the changes of a client since a moment, newest first.
    package func changes(
        by client: String, since start: Date, page: String?
    ) async throws -> (changes: [Wire.Change], nextPage: String?) {
        let after = try page.map { text in
            guard let number = Int64(text) else { throw Failure(.invalidArgument, "This is not a page.") }
            return number
        }
        let found = try await store.changes(by: client, since: start, after: after, limit: Self.page)
        var changes: [Wire.Change] = []
        for (_, change) in found {
            try Task.checkCancellation()
            changes.append(await described(change, nil))
        }
        return (changes, found.count < Self.page ? nil : found.last.map { String($0.number) })
    }

    /// Takes a change back that need not be the last one. A later save of the same document by the same client does not
    /// stand in the way.
    ///
    /// - Returns: the change, and the item as it is now.
    /// - Throws: ``Failure``: `NotFound` if it is not recorded, `Conflict` if something newer stands in the way.
    package func takeBack(_ session: Session, _ id: String) async throws -> (change: Wire.Change, item: Wire.Item?) {
        if let done = try await store.undone(id) {
            return (await described(done, nil), try? await gateway.item(current(done)))
        }
        guard let change = try await store.change(id) else {
            throw Failure(
                .notFound, "This change is not recorded any more.",
                suggestion: "`docent history` and `docent trash list` show what is kept.")
        }
        let item = try await carryOut(change, session, isLast: false)
        try await store.markUndone(change.id)
        return (await described(change, nil), item)
    }

    /// Whether nobody else has saved a document since a save, so that its content is what the same client saved later.
    private func isOwnContent(_ change: UndoableChange) async throws -> Bool {
        guard change.kind == .overwrite else { return false }
        let later = try await store.saves(after: change)
        guard !later.isEmpty, later.allSatisfy({ $0.principal == change.principal }) else { return false }
        let key = try await current(change)
        guard let item = try await known(key) else { return false }
        let origin = try await journal.origin(
            of: key, version: item.version, operation: LocalVersion(item.version)?.operation)
        for save in later where try await isContent(origin, of: save) { return true }
        return false
    }

    // MARK: What is known now

    private func situation(of change: UndoableChange) async throws -> UndoDecision.Situation {
        var now = UndoDecision.Situation()
        let key = try await current(change)
        let item = try await known(key)
        if let item { now.place = .init(parent: item.parent ?? ItemKey.rootIdentifier, name: item.name) }
        guard change.kind != .overwrite else {
            let origin = try await journal.origin(
                of: key, version: item?.version, operation: LocalVersion(item?.version)?.operation)
            now.hasSavedContent = try await isContent(origin, of: change)
            if let id = change.keptVersion { now.version = try await versions.version(id)?.id }
            return now
        }
        let folder = try await formerFolder(change)
        now.hasFormerFolder = try await known(folder)?.isFolder == true
        if now.hasFormerFolder { now.isNameTaken = try await isTaken(change.formerName, in: folder, by: key) }
        if change.kind == .delete, change.isTrashed, now.place == nil {
            now.trashed = try await trash.find(in: DomainKey(change.key)) { item in
                change.trashed.map { $0.isSame(as: item.identifier) }
                    ?? Optional(change.key.identifier).isSame(as: item.item)
            }?.identifier
        }
        return now
    }

    /// Whether a content is what a save saved. A save that was taken back in between put the same content there again.
    private func isContent(_ origin: ContentOrigin?, of change: UndoableChange) async throws -> Bool {
        guard let origin, let save = change.save else { return false }
        if origin.operation == save { return true }
        guard let digest = origin.digest, let saved = try await journal.operation(save) else { return false }
        if digest == saved.digest { return true }
        guard saved.kind == .package else { return false }
        return try await isPutBack(origin, asIn: saved)
    }

    /// Whether the content of a package is what a save saved, because a later save was taken back. The digest of a
    /// package is that of the change, so the version tells.
    private func isPutBack(_ origin: ContentOrigin, asIn saved: JournaledOperation) async throws -> Bool {
        guard let restoring = try await journal.operation(origin.operation), !restoring.principal.isConfined,
            let undone = UndoableChange.save(undoneBy: restoring.operation),
            let kept = try await versions.version(SupersededContent.identifier(undone))
        else { return false }
        return kept.key == restoring.itemKey && saved.uploadedVersion != nil
            && saved.uploadedVersion.isSame(as: kept.contentVersion)
    }

    /// The item as its provider has it now; nil if there is none.
    private func known(_ key: ItemKey) async throws -> Wire.Item? {
        do {
            if try await gateway.isRemote(key.provider) {
                _ = try await trash.catalog.current(key, forced: true)
            }
            // The version of a package follows from all its elements.
            return try await gateway.item(key)
        } catch {
            let failure = FailureMapping.failure(error)
            guard failure.code == .notFound || Existence(failure) == .missing else { throw failure }
            return nil
        }
    }

    private func isTaken(_ name: String, in folder: ItemKey, by key: ItemKey) async throws -> Bool {
        do {
            try await mover.requireFree(name, in: folder, moving: key)
            return false
        } catch let failure as Failure where failure.code == .conflict {
            return true
        }
    }

    // The present identifier of the item. A deleted one has the identifier back when it returns.
    private func current(_ change: UndoableChange) async throws -> ItemKey {
        change.kind == .delete ? change.key : try await current(change.key)
    }

    private func formerFolder(_ change: UndoableChange) async throws -> ItemKey {
        try await current(change.key.sibling(change.formerParent))
    }

    private func current(_ key: ItemKey) async throws -> ItemKey {
        try await gateway.isRemote(key.provider) ? parts.current(key) : parts.aliases.current(key)
    }

    // MARK: For people

    private func described(_ change: UndoableChange, _ obstacle: String?) async -> Wire.Change {
        var (folder, formerFolder) = (change.parent, change.formerParent)
        if change.kind == .overwrite, let key = try? await current(change), let item = try? await gateway.bare(key) {
            (folder, formerFolder) = (item.parent ?? ItemKey.rootIdentifier, item.parent ?? ItemKey.rootIdentifier)
        }
        return Wire.Change(
            identifier: change.id, kind: change.kind.rawValue, clientKind: change.principal.kind.rawValue,
            client: change.principal.identifier, provider: change.key.provider, domain: change.key.domain,
            name: change.name, formerName: change.formerName, folder: await path(of: folder, change),
            formerFolder: await path(of: formerFolder, change), isFolder: change.isFolder,
            created: change.created.timeIntervalSince1970, obstacle: obstacle)
    }

    private func path(of folder: String, _ change: UndoableChange) async -> String? {
        guard !folder.isEmpty, var key = try? await current(change.key.sibling(folder)) else { return nil }
        if (try? await gateway.isRemote(key.provider)) ?? true { return try? await trash.catalog.path(of: key) }
        var names: [String] = []
        while key.identifier != ItemKey.rootIdentifier {
            guard names.count < Self.deepest, let item = try? await gateway.bare(key) else { return nil }
            names.append(item.name)
            key = key.sibling(item.parent ?? ItemKey.rootIdentifier)
        }
        return "/" + names.reversed().joined(separator: "/")
    }

    private static func text(_ obstacle: UndoDecision.Obstacle, _ change: UndoableChange) -> String {
        switch obstacle {
        case .deletedForGood: "\"\(change.name)\" was deleted for good."
        case .notInTrash: "\"\(change.name)\" is no longer in the trash of \(change.key.provider)."
        case .gone: "\"\(change.name)\" is gone."
        case .movedAgain: "\"\(change.name)\" was moved or renamed since."
        case .folderGone: "the folder that \"\(change.formerName)\" was in does not exist any more."
        case .nameTaken: "there is another \"\(change.formerName)\" in its place."
        case .savedAgain: "\"\(change.name)\" was changed since."
        case .notKept: "the content before it is not kept."
        }
    }

    private static func suggestion(_ obstacle: UndoDecision.Obstacle) -> String? {
        switch obstacle {
        case .folderGone, .nameTaken: "Move what is there, or use `docent trash restore --to` or `docent mv`."
        case .notInTrash: "`docent trash list` shows what is there."
        case .savedAgain: "`docent history` lists what is kept of it, and `docent restore` puts it back."
        case .deletedForGood, .gone, .movedAgain, .notKept: nil
        }
    }
}
