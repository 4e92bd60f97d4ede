package import Access
package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
import Varlink

/// Moves, renames and deletes items, and makes folders, within one domain of a provider (H9, SEMANTICS 4). It never
/// replaces anything.
///
/// An in-place provider does the work itself, and identifiers stay. For remote providers the index follows. If
/// identifiers change, as they do for the paths of plain WebDAV, everything recorded under the old ones follows:
/// rights, bookmarks, copies, unsent changes.
package struct ItemMover: Sendable {
    let gateway: DocumentGateway
    /// Decides which client may move what.
    package let access: AccessControl
    let parts: RemoteParts
    let catalog: RemoteCatalog
    let uploads: RemoteUploads
    let journal: ItemChangeJournal
    let coordination: (any ItemCoordination)?
    let limiter: ChangeLimiter
    let repairs = MoveRepairs()

    package init(
        gateway: DocumentGateway, access: AccessControl, parts: RemoteParts, catalog: RemoteCatalog,
        uploads: RemoteUploads, journal: ItemChangeJournal, coordination: (any ItemCoordination)?,
        limiter: ChangeLimiter
    ) {
        self.gateway = gateway
        self.access = access
        self.parts = parts
        self.catalog = catalog
        self.uploads = uploads
        self.journal = journal
        self.coordination = coordination
        self.limiter = limiter
    }

    // MARK: Moving

    /// Moves an item to another folder of its domain, renames it, or both. The caller has checked the client's right.
    ///
    /// - Parameters:
    ///   - folder: the new folder; nil keeps the item where it is.
    ///   - name: the new name; nil keeps the name.
    ///   - claim: the session's claim for this change.
    ///   - undone: the change of the user that this one takes back.
    /// - Returns: the item with its new identifier.
    /// - Throws: ``Failure``: `Conflict` if the name is taken, `Unavailable` if a remote provider cannot be reached.
    package func move(
        _ session: Session, _ key: ItemKey, to folder: ItemKey?, name: String?, operation: String,
        claim: String? = nil, undoing undone: String? = nil
    ) async throws -> Wire.Item {
        if let done = try await repeated(.move, operation, session) { return done }
        try Self.requireNoRoot(key, "moved")
        if let folder, (folder.provider, folder.domain) != (key.provider, key.domain) {
            throw Failure(
                .notSupported, "Items can only be moved within one domain of a provider.",
                suggestion: "Export a copy of it to the other place.")
        }
        let name = try name.map { try ItemPath.name($0) }
        let request = MoveRequest(
            session: session, folder: folder, name: name, operation: operation, claim: claim, undone: undone)
        if try await gateway.isRemote(key.provider) { return try await moveRemotely(key, request) }
        return try await moveInPlace(key, request)
    }

    /// A client's request to move something.
    struct MoveRequest: Sendable {
        let session: Session
        let folder: ItemKey?
        let name: String?
        let operation: String
        let claim: String?
        let undone: String?
    }

    /// Runs a change inside the coordination of clients, if there is one.
    func coordinated<Result: Sendable>(
        _ session: Session?, _ claim: String?, _ change: ItemChange,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // Cancelling a call never undoes what is past the commit point (T3).
        let shielded: @Sendable () async throws -> Result = { try await Task { try await body() }.value }
        guard let coordination else { return try await shielded() }
        switch change.kind {
        case .move:
            return try await coordination.withMove(
                session, claim: claim, from: change.key,
                toFolder: ItemKey(
                    provider: change.key.provider, domain: change.key.domain, identifier: change.parent),
                name: change.name, shielded)
        case .delete: return try await coordination.withDelete(session, claim: claim, change.key, shielded)
        case .makeFolder: return try await shielded()
        }
    }

    // MARK: Deleting

    /// Deletes an item. Its unsent content is kept as a version. The caller has checked the client's right.
    ///
    /// - Parameters:
    ///   - version: delete only if the item still has this version.
    ///   - isRecursive: delete a folder with its content; otherwise only an empty folder.
    ///   - trash: how the trash of the provider is used.
    /// - Returns: what became of the item.
    /// - Throws: ``Failure``: `Conflict` if the item was changed in the meantime or is not empty.
    package func delete(
        _ session: Session, _ key: ItemKey, version: String?, isRecursive: Bool, trash: TrashUse = .preferred,
        operation: String, claim: String? = nil
    ) async throws -> Deletion {
        if let done = try await deletion(operation, session) { return done }
        try Self.requireNoRoot(key, "deleted")
        let request = DeletionRequest(
            session: session, version: version, isRecursive: isRecursive, trash: trash, operation: operation,
            claim: claim)
        let isRemote = try await gateway.isRemote(key.provider)
        // Before anything waits or is recorded.
        if trash != .temporary || session.principal.isConfined {
            try await limiter.require(session, key) {
                guard isRecursive else { return 1 }
                return try await DeletedDocuments(gateway: gateway, parts: parts, catalog: catalog)
                    .count(in: key, isRemote: isRemote, most: limiter.limit + 1)
            }
        }
        let done = try await isRemote ? deleteRemotely(key, request) : deleteInPlace(key, request)
        if trash == .unused { try await purge(key) }
        return done
    }

    // Some services put whatever is deleted into their trash.
    private func purge(_ key: ItemKey) async throws {
        let (can, domain) = (TrashCan(gateway: gateway, parts: parts, catalog: catalog), DomainKey(key))
        do {
            guard
                let left = try await can.find(
                    in: domain, where: { Optional(key.identifier).isSame(as: $0.item) })
            else { return }
            try await can.delete(left.identifier, in: domain)
        } catch {
            let failure = FailureMapping.failure(error)
            guard ![.unsupported, .missing, .forbidden].contains(failure.kind) else { return }
            throw Failure(
                .unavailable, "It was deleted, but it may still be in the trash of \(key.provider).",
                suggestion: "`docent trash list` shows what is there.", provider: key.provider,
                causes: failure.causes)
        }
    }

    /// A client's request to delete something.
    struct DeletionRequest: Sendable {
        let session: Session
        let version: String?
        let isRecursive: Bool
        let trash: TrashUse
        let operation: String
        let claim: String?
    }

    static func requireNoRoot(_ key: ItemKey, _ what: String) throws {
        guard key.identifier != ItemKey.rootIdentifier else {
            throw Failure(.invalidArgument, "The top folder cannot be \(what).", provider: key.provider)
        }
    }

    static func notEmpty(_ name: String, _ provider: String) -> Failure {
        Failure(
            .conflict, "\"\(name)\" is not empty.",
            suggestion: "Look at what is in it. `docent rm -r` deletes a folder with everything in it.",
            provider: provider)
    }

    static func changed(_ name: String, _ provider: String) -> Failure {
        Failure(
            .conflict, "\"\(name)\" was changed meanwhile. It was not deleted.",
            suggestion: "Look at it again, and repeat the command if it still applies.", provider: provider)
    }

    // MARK: Folders

    /// Makes an empty folder.
    ///
    /// - Throws: ``Failure``: `Conflict` if the name is taken.
    package func makeFolder(
        _ session: Session, in folder: ItemKey, name: String, operation: String
    ) async throws -> Wire.Item {
        let name = try ItemPath.name(name)
        var change = try await journal.change(operation, session.principal)
        if let change, change.kind == .makeFolder, let key = change.resultKey { return try await gateway.item(key) }
        let isRemote = try await gateway.isRemote(folder.provider)
        let known: ItemChange
        if let begun = change, begun.kind == .makeFolder, NameRule.isSame(begun.name, name), begun.key == folder {
            // A repeated call whose first reply was lost. The provider recognises it by the name that we gave the
            // operation.
            known = begun
        } else {
            try await gateway.requireWritable(folder.provider)
            try await requireFree(name, in: folder, moving: nil)
            known = ItemChange(
                .makeFolder, of: folder, to: folder.identifier, name: name, formerName: name, version: nil,
                operation: operation, principal: session.principal)
            try await journal.save(known)
        }
        change = known
        do {
            var done = known
            let route: ProviderWrites.Route
            if isRemote {
                try await parts.deletions.makeRoom(for: name, in: folder, isForced: true)
                route = .account(parts.access, isForced: true)
            } else {
                let (_, connection) = try await gateway.fileProvider(folder.provider)
                route = .process(connection)
            }
            let made = try await ProviderWrites(route).makeFolder(name, in: folder, operation: known.id)
            if isRemote {
                _ = try await catalog.take(
                    made, as: ItemDescription(made, in: folder.identifier), folder, isChild: true)
            }
            done.result = made.identifier
            done.isFinished = true
            try await journal.save(done)
            let key = folder.sibling(made.identifier)
            parts.changes.indexed.note(.item(key))
            await parts.changes.indexed.settle()
            return try await gateway.item(key)
        } catch let failure as Failure {
            if failure.changedNothing { try? await journal.remove(known) }
            throw failure
        }
    }

    // MARK: Shared by all changes

    /// Refuses a name that is taken in a folder, as far as is known here. The provider has the final decision.
    func requireFree(_ name: String, in folder: ItemKey, moving: ItemKey?) async throws {
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var page: String?
        repeat {
            let (items, next) = try await gateway.children(of: folder, page: page)
            try NameRule.requireFree(
                name, among: items.map { ($0.reference.identifier, $0.name) }, moving: moving?.identifier,
                provider: folder.provider)
            page = try pages.next(next, items: items.count)
        } while page != nil
    }

    /// The outcome of an operation that its client repeats because the reply was lost; nil if it still has to run.
    ///
    /// Callers that look up a location first use this before the lookup, which may fail by now.
    package func repeated(_ kind: ItemChange.Kind, _ operation: String, _ session: Session) async throws -> Wire.Item? {
        try OperationTable.check(operation)
        guard let change = try await journal.change(operation, session.principal), change.kind == kind else {
            return nil
        }
        if change.result == nil, !catalog.moves.isRunning(change) { await resolve(change) }
        guard let key = try await journal.change(operation, session.principal)?.resultKey, kind != .delete else {
            return nil
        }
        return try await gateway.item(key)
    }

    /// The outcome of a deletion that its client repeats; nil if it still has to run.
    package func deletion(_ operation: String, _ session: Session) async throws -> Deletion? {
        _ = try await repeated(.delete, operation, session)
        guard let change = try await journal.change(operation, session.principal), change.kind == .delete,
            change.isFinished
        else { return nil }
        return Deletion(change)
    }
}
