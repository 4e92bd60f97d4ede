package import Access
package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
import Varlink

/// Moves, renames and deletes items, and makes folders, within one domain of a provider (H9, SEMANTICS 4). Never
/// replaces anything.
///
/// In place the provider does it, and identifiers stay. Of remote providers the index follows, and where identifiers
/// change (paths of plain WebDAV), everything that was recorded under the old ones: rights, bookmarks, copies, unsent
/// changes.
package struct ItemMover: Sendable {
    let gateway: DocumentGateway
    /// Decides who may move what.
    package let access: AccessControl
    let parts: RemoteParts
    let catalog: RemoteCatalog
    let uploads: RemoteUploads
    let journal: ItemChangeJournal
    let coordination: (any ItemCoordination)?
    let repairs = MoveRepairs()

    /// Lets identifiers in memory follow the database from now on.
    package init(
        gateway: DocumentGateway, access: AccessControl, parts: RemoteParts, catalog: RemoteCatalog,
        uploads: RemoteUploads, journal: ItemChangeJournal, coordination: (any ItemCoordination)?
    ) {
        self.gateway = gateway
        self.access = access
        self.parts = parts
        self.catalog = catalog
        self.uploads = uploads
        self.journal = journal
        self.coordination = coordination
        parts.index.keyChanges.follow(begin: { [aliases = parts.aliases] in aliases.follow($0) })
    }

    // MARK: Moving

    /// Gives an item another name, another folder of its domain, or both. Its caller has made sure that the client may.
    ///
    /// - Parameters:
    ///   - folder: nil: it stays in its folder.
    ///   - name: nil: it keeps its name.
    ///   - claim: of the session, within which this is done.
    /// - Returns: the item with its new identifier.
    /// - Throws: ``Failure``: `Conflict` where the name is taken, `Unavailable` where a remote provider cannot be
    ///   reached.
    package func move(
        _ session: Session, _ key: ItemKey, to folder: ItemKey?, name: String?, operation: String, claim: String? = nil
    ) async throws -> Wire.Item {
        if let done = try await repeated(.move, operation, session) { return done }
        try Self.requireNoRoot(key, "moved")
        if let folder, (folder.provider, folder.domain) != (key.provider, key.domain) {
            throw Failure(
                .notSupported, "Items are moved within one domain of a provider only.",
                suggestion: "Export it to the other place, then delete it here.")
        }
        let name = try name.map { try ItemPath.name($0) }
        if try await gateway.isRemote(key.provider) {
            return try await moveRemotely(session, key, folder, name, operation, claim)
        }
        return try await moveInPlace(session, key, folder, name, operation, claim)
    }

    /// Runs a change within the coordination of clients, where there is one.
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

    /// Deletes an item. What of it was not sent is kept as a version. Its caller has made sure that the client may.
    ///
    /// - Parameters:
    ///   - version: only if it still is this one.
    ///   - isRecursive: a folder with all that is in it; else only an empty one.
    /// - Throws: ``Failure``: `Conflict` where it was changed meanwhile or is not empty.
    package func delete(
        _ session: Session, _ key: ItemKey, version: String?, isRecursive: Bool, operation: String,
        claim: String? = nil
    ) async throws {
        if try await isDone(.delete, operation, session) { return }
        try Self.requireNoRoot(key, "deleted")
        if try await gateway.isRemote(key.provider) {
            try await deleteRemotely(session, key, version, isRecursive, operation, claim)
        } else {
            try await deleteInPlace(session, key, version, isRecursive, operation, claim)
        }
    }

    static func requireNoRoot(_ key: ItemKey, _ what: String) throws {
        guard key.identifier != ItemKey.rootIdentifier else {
            throw Failure(.invalidArgument, "The topmost folder cannot be \(what).", provider: key.provider)
        }
    }

    static func notEmpty(_ name: String, _ provider: String) -> Failure {
        Failure(
            .conflict, "\"\(name)\" is not empty.",
            suggestion: "Delete it with all that is in it: docent rm -r", provider: provider)
    }

    static func changed(_ name: String, _ provider: String) -> Failure {
        Failure(
            .conflict, "\"\(name)\" was changed meanwhile. It was not deleted.",
            suggestion: "Look at it again, then delete it.", provider: provider)
    }

    // MARK: Folders

    /// Makes an empty folder.
    ///
    /// - Throws: ``Failure``: `Conflict` where the name is taken.
    package func makeFolder(
        _ session: Session, in folder: ItemKey, name: String, operation: String
    ) async throws -> Wire.Item {
        let name = try ItemPath.name(name)
        var change = try await journal.change(operation, session.principal)
        if let change, change.kind == .makeFolder, let key = change.resultKey { return try await gateway.item(key) }
        let isRemote = try await gateway.isRemote(folder.provider)
        let known: ItemChange
        if let begun = change, begun.kind == .makeFolder, NameRule.isSame(begun.name, name), begun.key == folder {
            // The same again, its reply lost: the provider knows it by our name for it.
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
        let parameters = FileProviderInterface.Create.Parameters(
            domain: folder.domain, parent: folder.identifier, name: name, isFolder: true, operation: known.id)
        do {
            var done = known
            let made: Wire.ProviderItem
            if isRemote {
                made = try Self.require(
                    try await parts.access.call(
                        FileProviderInterface.Create.self, parameters, provider: folder.provider,
                        domain: folder.domain, isForced: true
                    ).item, folder.provider)
                _ = try await catalog.take(
                    made, as: ItemDescription(made, in: folder.identifier), folder, isChild: true)
            } else {
                let (_, connection) = try await gateway.fileProvider(folder.provider)
                made = try Self.require(
                    try await connection.call(FileProviderInterface.Create.self, parameters).value.item,
                    folder.provider)
            }
            done.result = made.identifier
            done.isFinished = true
            try await journal.save(done)
            return try await gateway.item(
                ItemKey(provider: folder.provider, domain: folder.domain, identifier: made.identifier))
        } catch let failure as Failure {
            if Self.isRefusal(failure) { try? await journal.remove(known) }
            throw failure
        }
    }

    private static func require(_ item: Wire.ProviderItem?, _ provider: String) throws(Failure) -> Wire.ProviderItem {
        guard let item else {
            throw Failure(
                .providerFailed, "\(provider) did not say what became of a change.", suggestion: "Tell its authors.",
                provider: provider)
        }
        return item
    }

    // MARK: Common

    /// Refuses a name that is taken in a folder, as far as can be told; the provider refuses it in the end.
    func requireFree(_ name: String, in folder: ItemKey, moving: ItemKey?) async throws {
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var page: String?
        repeat {
            let (items, next) = try await gateway.children(of: folder, path: nil, page: page)
            try NameRule.requireFree(
                name, among: items.map { ($0.reference.identifier, $0.name) }, moving: moving?.identifier,
                provider: folder.provider)
            page = try pages.next(next, items: items.count)
        } while page != nil
    }

    /// The outcome of an operation that its client repeats, its reply lost; nil when it is to be done.
    ///
    /// Also for those who have to look a location up first, which may not lead anywhere any more.
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

    /// Whether a deletion that its client repeats is done.
    package func isDone(_ kind: ItemChange.Kind, _ operation: String, _ session: Session) async throws -> Bool {
        _ = try await repeated(kind, operation, session)
        return try await journal.change(operation, session.principal).map { $0.kind == kind && $0.isFinished } ?? false
    }

    /// Whether a failure means that nothing was done.
    static func isRefusal(_ failure: Failure) -> Bool {
        switch failure.providerCode {
        case .noSuchItem, .collision, .versionOutOfDate, .insufficientQuota, .notSupported, .notPermitted,
            .invalidArgument, .notAuthenticated, .deadlock:
            true
        default: failure.code == .notSupported || failure.code == .invalidArgument || failure.code == .notPermitted
        }
    }
}
