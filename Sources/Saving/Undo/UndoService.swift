package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
import RemoteDocuments
import Rights

/// Takes the user's last change back. Whatever is newer than the change is never replaced or moved.
package struct UndoService: Sendable {
    private static let deepest = 256

    private let store: UndoStore
    private let mover: ItemMover
    private let trash: TrashCan

    /// Uses the host's services.
    package init(store: UndoStore, mover: ItemMover, trash: TrashCan) {
        self.store = store
        self.mover = mover
        self.trash = trash
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

    private func carryOut(_ change: UndoableChange, _ session: Session) async throws -> Wire.Item {
        let operation = "undo-\(change.id)"
        let folder = try await formerFolder(change)
        switch UndoDecision(change, try await situation(of: change)) {
        case .nothing:
            return try await gateway.item(current(change))
        case .restore(let trashed):
            return try await trash.restore(
                trashed, in: DomainKey(change.key), to: folder, name: change.formerName, operation: operation)
        case .moveBack:
            return try await mover.move(
                session, current(change), to: folder, name: change.formerName, operation: operation,
                undoing: change.id)
        case .refuse(let obstacle):
            throw Failure(
                .conflict, "The last change cannot be taken back: \(Self.text(obstacle, change))",
                suggestion: Self.suggestion(obstacle), provider: change.key.provider)
        }
    }

    // MARK: What is known now

    private func situation(of change: UndoableChange) async throws -> UndoDecision.Situation {
        var now = UndoDecision.Situation()
        let folder = try await formerFolder(change)
        let key = try await current(change)
        if let item = try await known(key) {
            now.place = .init(parent: item.parent ?? ItemKey.rootIdentifier, name: item.name)
        }
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

    /// The item as its provider has it now; nil if there is none.
    private func known(_ key: ItemKey) async throws -> Wire.Item? {
        do {
            if try await gateway.isRemote(key.provider) {
                _ = try await trash.catalog.current(key, forced: true)
            }
            return try await gateway.bare(key)
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
        Wire.Change(
            identifier: change.id, kind: change.kind.rawValue, clientKind: change.principal.kind.rawValue,
            client: change.principal.identifier, provider: change.key.provider, domain: change.key.domain,
            name: change.name, formerName: change.formerName, folder: await path(of: change.parent, change),
            formerFolder: await path(of: change.formerParent, change), isFolder: change.isFolder,
            created: change.created.timeIntervalSince1970, obstacle: obstacle)
    }

    private func path(of folder: String, _ change: UndoableChange) async -> String? {
        guard var key = try? await current(change.key.sibling(folder)) else { return nil }
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
        case .overwritten: "what was saved over is a version; `docent versions` lists what is kept."
        }
    }

    private static func suggestion(_ obstacle: UndoDecision.Obstacle) -> String? {
        switch obstacle {
        case .folderGone, .nameTaken: "Move what is there, or use `docent trash restore --to` or `docent mv`."
        case .notInTrash: "`docent trash list` shows what is there."
        case .deletedForGood, .gone, .movedAgain, .overwritten: nil
        }
    }
}
