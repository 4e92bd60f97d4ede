import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import RemoteDocuments
import Rights
import Storage
import Transfers

// Items of remote providers. The change is recorded before the provider is called, so that a kill at any moment leaves
// no right that leads nowhere or to another document.
extension ItemMover {
    func moveRemotely(_ given: ItemKey, _ request: MoveRequest) async throws -> Wire.Item {
        try Self.require("move", try await parts.access.features(given.provider), given.provider)
        let item = try await settled(catalog.current(given, forced: true))
        let target = try await parts.current(request.folder ?? item.key.sibling(item.description.parent))
        let newName = request.name ?? item.description.name
        guard !target.identifier.isSame(as: item.description.parent) || !NameRule.isSame(newName, item.description.name)
        else {
            return try await gateway.item(item.key)
        }
        guard try await catalog.current(target).description.isFolder else {
            throw Failure(.invalidArgument, "The destination is not a folder.", suggestion: "Choose a folder.")
        }
        try await requireOutside(item, target)
        try await requireFree(
            newName, in: target, moving: target.identifier.isSame(as: item.description.parent) ? item.key : nil)
        var change = ItemChange(
            .move, of: item.key, to: target.identifier, name: newName, formerName: item.description.name,
            version: item.description.version, operation: request.operation, principal: request.session.principal,
            from: item.description.parent, isFolder: item.description.isFolder)
        change.undoes = request.undone
        return try await coordinated(request.session, request.claim, change) { [change] in
            let new = try await TreeLock(parts, uploads).hold(item.key, cancelsUploads: false) { tree in
                guard let root = tree.first, root.key == item.key else { throw Self.goneMeanwhile(item) }
                return try await perform(change, root)
            }
            return try await gateway.item(new)
        }
    }

    // A provider that carried this out would lose the folder and everything in it.
    private func requireOutside(_ item: RemoteItem, _ target: ItemKey) async throws {
        guard item.description.isFolder else { return }
        var above = target
        for _ in 0..<Self.deepest where !above.identifier.isSame(as: ItemKey.rootIdentifier) {
            guard !above.identifier.isSame(as: item.key.identifier) else {
                throw Failure(
                    .invalidArgument, "\"\(item.description.name)\" cannot be moved into itself.",
                    suggestion: "Choose a folder outside it.", provider: item.key.provider)
            }
            guard let parent = try await catalog.known(above)?.description.parent else { return }
            above = above.sibling(parent)
        }
    }

    // Deeper than any real path.
    private static let deepest = 4_096

    // A document that its provider does not know yet cannot be renamed there. This waits up to ten seconds until the
    // document is known.
    private func settled(_ item: RemoteItem) async throws -> RemoteItem {
        guard item.isProvisional else { return item }
        for _ in 0..<100 {
            if let now = try await catalog.known(item.key), !now.isProvisional { return now }
            if parts.access.monitor.state(item.key.provider, item.key.domain) != .ready { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure(
            .unavailable, "\"\(item.description.name)\" is new and has not been sent to its service yet.",
            suggestion: "Wait for it with `docent drain`, then try again.", provider: item.key.provider)
    }

    private static func goneMeanwhile(_ item: RemoteItem) -> Failure {
        Failure(
            .notFound, "\"\(item.description.name)\" is gone from \(item.key.provider).",
            suggestion: "Somebody deleted or moved it; `docent ls` shows what is there.", provider: item.key.provider)
    }

    private func perform(_ change: ItemChange, _ item: RemoteItem) async throws -> ItemKey {
        try await parts.deletions.makeRoom(for: change.name, in: item.key.sibling(change.parent), isForced: true)
        if item.description.isFolder { try await parts.deletions.settle(below: item.key) }
        try await journal.save(change)
        catalog.moves.begin(change, isRunning: true)
        parts.crash(.committed)
        do {
            let said = try await ask(change)
            parts.crash(.sent)
            return try await finish(change, item, said)
        } catch {
            let failure = FailureMapping.failure(error)
            if failure.changedNothing {
                await drop(change)
            } else {
                catalog.moves.interrupted(change)
                repairs.begin(self)
            }
            throw failure
        }
    }

    /// Asks the provider to carry out the change. The provider recognises a repeated change by its name.
    func ask(_ change: ItemChange) async throws -> Wire.ProviderItem {
        try await parts.access.call(
            FileProviderInterface.Move.self,
            .init(
                domain: change.key.domain, identifier: change.key.identifier, parent: change.parent, name: change.name,
                operation: change.id),
            provider: change.key.provider, domain: change.key.domain, isForced: true
        ).item
    }

    /// Records locally what the provider has done.
    func finish(_ change: ItemChange, _ item: RemoteItem, _ said: Wire.ProviderItem) async throws -> ItemKey {
        if let problem = ItemDescription.problem(said, isChild: true) {
            throw Failure(
                .providerFailed, "\(change.key.provider) returned an invalid item: \(problem)",
                suggestion: "Report this to its authors.", provider: change.key.provider)
        }
        let description = ItemDescription(said, in: change.parent)
        var done = change
        done.result = description.identifier
        let new = change.key.sibling(description.identifier)
        if new == change.key {
            try await journal.save(done)
            _ = try await parts.index.merge([description], provider: new.provider, domain: new.domain)
            parts.changes.contentChanged(new)
        } else {
            let rekeying = TreeRekeying(parts: parts, catalog: catalog)
            try await rekeying.carryOut(try await rekeying.plan(item, description), finishing: done)
        }
        catalog.moves.end(change)
        try await journal.finish(done)
        return new
    }

    func drop(_ change: ItemChange) async {
        try? await journal.remove(change)
        catalog.moves.end(change)
    }

    // MARK: Deleting

    func deleteRemotely(_ given: ItemKey, _ request: DeletionRequest) async throws -> Deletion {
        try Self.require("delete", try await parts.access.features(given.provider), given.provider)
        var key = given
        // The upload of a new document gives it another identifier.
        for _ in 0..<Self.identifiers {
            let item = try await catalog.current(key, forced: true)
            if let done = try await delete(item, request) { return done }
            key = try await parts.current(item.key)
            guard key != item.key else { throw Self.goneMeanwhile(item) }
        }
        throw Failure(.unavailable, "It keeps changing.", suggestion: "Try again.", provider: given.provider)
    }

    // How many identifiers a document may have had meanwhile.
    private static let identifiers = 4

    /// Deletes an item under its present identifier.
    ///
    /// - Returns: nil if it has none, or another one by now.
    private func delete(_ item: RemoteItem, _ request: DeletionRequest) async throws -> Deletion? {
        let (name, provider) = (item.description.name, item.key.provider)
        if item.description.isFolder {
            // Children that are not known here yet count too.
            _ = try await catalog.list(item.key)
            let children = try await parts.index.children(of: item.key, after: nil, limit: 1)
            if !request.isRecursive, !children.isEmpty { throw Self.notEmpty(name, provider) }
        }
        let period = request.trash.allowsPeriod ? parts.deletions.periods.seconds(DomainKey(item.key)) : 0
        let unknown = period > 0 && item.description.isFolder ? try await DeletedTree(parts, catalog).look(item) : []
        let removal = ItemRemoval(.account(parts.access, isForced: true), request.trash)
        var change = ItemChange(
            .delete, of: item.key, to: item.description.parent, name: name, formerName: name,
            version: item.description.version, operation: request.operation, principal: request.session.principal,
            from: item.description.parent, isFolder: item.description.isFolder)
        change.isTrashed = try await removal.usesTrash(provider)
        change.isTemporary = removal.isTemporary ? true : nil
        return try await coordinated(request.session, request.claim, change) { [change] in
            try await TreeLock(parts, uploads).hold(item.key, cancelsUploads: true) { tree -> Deletion? in
                guard let now = tree.first else { return nil }
                let unsent = try await parts.journal.unsent(of: now.key)
                let stored = (unsent.isEmpty ? nil : now.local?.version) ?? now.description.version
                // The version from before the upload was confirmed is accepted as well (HAZARDS 5).
                if let version = request.version, !Optional(version).isSame(as: stored),
                    !Optional(version).isSame(as: parts.states.former(of: now.key, version: stored))
                {
                    throw Self.changed(name, provider)
                }
                var done = change
                // What its provider does not know cannot be in its trash.
                if now.isProvisional { done.isTrashed = false }
                let pending = PendingDeletion(
                    id: done.id, principal: done.principal, key: now.key, parent: now.description.parent, name: name,
                    isFolder: now.description.isFolder, size: now.description.size,
                    path: try await catalog.path(of: now.key), created: parts.deletions.clock.date,
                    due: parts.deletions.clock.date.addingTimeInterval(Double(period)))
                try await journal.save(done)
                catalog.moves.begin(done, isRunning: true)
                defer { catalog.moves.end(done) }
                parts.crash(.committed)
                if !now.isProvisional {
                    done = try await askToDelete(done, now, removal, request.isRecursive, unsent.first) { change in
                        guard period > 0, now.mayBeDeleted else { return nil }
                        return try await postpone(change, pending, tree, unknown, unsent.first)
                    }
                }
                parts.crash(.sent)
                try await finishDeletion(done, tree)
                return Deletion(done)
            }
        }
    }

    private func askToDelete(
        _ change: ItemChange, _ item: RemoteItem, _ removal: ItemRemoval, _ isRecursive: Bool,
        _ unsent: JournaledOperation?, postpone: (ItemChange) async throws -> ItemChange?
    ) async throws -> ItemChange {
        var base = item.description.version
        if let unsent { base = try await uploads.base(of: unsent) ?? base }
        do {
            return try await removal.carryOut(
                change, base: item.description.isFolder ? nil : base, isRecursive: isRecursive, postpone: postpone
            ) { try await journal.save($0) }
        } catch let failure as Failure {
            switch failure.kind {
            // It was deleted elsewhere first.
            case .missing: return change
            case .outdated:
                try? await journal.remove(change)
                throw Self.changed(item.description.name, item.key.provider)
            default:
                if failure.changedNothing { try? await journal.remove(change) } else { repairs.begin(self) }
                throw failure
            }
        }
    }

    /// Records that the provider is asked later. From then on the item is deleted here, whatever its provider lists.
    ///
    /// - Throws: ``Failure`` `Conflict` if the unsent change of the document is of an older version than the provider
    ///   has.
    private func postpone(
        _ change: ItemChange, _ pending: PendingDeletion, _ tree: [RemoteItem], _ unknown: Set<ItemKey>,
        _ unsent: JournaledOperation?
    ) async throws -> ItemChange {
        if let unsent, let root = tree.first, !root.description.isFolder,
            let base = try await uploads.base(of: unsent), !Optional(base).isSame(as: root.description.version)
        {
            try? await journal.remove(change)
            throw Self.changed(change.name, change.key.provider)
        }
        var done = change
        done.isTrashed = true
        done.trashed = pending.trashed
        done.finalDate = pending.due
        try await journal.save(done)
        try await parts.deletions.record(pending, tree, unknown: unknown)
        parts.crash(.renamed)
        return done
    }

    /// Records locally that an item was deleted: unsent changes are kept as versions, transfers end, rights lead
    /// nowhere.
    func finishDeletion(_ change: ItemChange, _ tree: [RemoteItem]) async throws {
        let keys = Set(tree.map(\.key))
        for item in tree {
            for row in try await parts.journal.unsent(of: item.key) {
                try await parts.conflicts.keep(row, item.key, as: .unsent)
            }
            parts.states.set(nil, of: item.key)
        }
        var removed: [RemoteItem] = []
        // Removing the folder from the index does not remove items that exist only here.
        for item in tree where item.isProvisional { removed += try await parts.index.remove(item.key) }
        removed += try await parts.index.remove(change.key)
        parts.crash(.recorded)
        await catalog.note(removed: removed)
        await parts.queue.cancelAll { keys.contains($0.key.item) }
        for key in keys {
            guard let partial = try? await parts.index.partials.partial(key) else { continue }
            try? await parts.index.partials.remove(key)
            try? await parts.places.discard(partial)
        }
        try await journal.finish(change)
    }
}
