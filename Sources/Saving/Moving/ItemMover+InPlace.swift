import DocentInterfaces
import ExtensionHosting
import HostCore
import Records
import RemoteDocuments
import Rights
import Storage
import Varlink

// In-place items: the provider moves or deletes them, and reports their identifiers afterwards.
extension ItemMover {
    func moveInPlace(_ key: ItemKey, _ request: MoveRequest) async throws -> Wire.Item {
        let item = try await gateway.item(key)
        let (_, connection) = try await gateway.fileProvider(key.provider)
        try Self.require("move", connection.features, key.provider)
        let target = request.folder ?? key.sibling(item.parent ?? ItemKey.rootIdentifier)
        let newName = request.name ?? item.name
        guard !Optional(target.identifier).isSame(as: item.parent) || !NameRule.isSame(newName, item.name) else {
            return item
        }
        guard try await gateway.item(target).isFolder else {
            throw Failure(.invalidArgument, "The destination is not a folder.", suggestion: "Choose a folder.")
        }
        try await requireFree(
            newName, in: target, moving: Optional(target.identifier).isSame(as: item.parent) ? key : nil)
        var change = ItemChange(
            .move, of: key, to: target.identifier, name: newName, formerName: item.name, version: item.version,
            operation: request.operation, principal: request.session.principal,
            from: item.parent ?? ItemKey.rootIdentifier, isFolder: item.isFolder)
        change.undoes = request.undone
        return try await coordinated(request.session, request.claim, change) { [change] in
            try await parts.locks.withLock(on: key) {
                try await journal.save(change)
                parts.crash(.committed)
                let said: Wire.ProviderItem
                do {
                    said = try await connection.call(
                        FileProviderInterface.Move.self,
                        .init(
                            domain: key.domain, identifier: key.identifier, parent: target.identifier, name: newName,
                            operation: change.id)
                    ).value.item
                } catch let failure as Failure {
                    if failure.changedNothing { try? await journal.remove(change) }
                    throw failure
                }
                parts.crash(.sent)
                try await finishInPlace(change, said)
                return gateway.item(said, key.provider, key.domain, connection)
            }
        }
    }

    /// Records a move that an in-place provider has carried out.
    func finishInPlace(_ change: ItemChange, _ said: Wire.ProviderItem) async throws {
        let key = change.key
        let new = key.sibling(said.identifier)
        if new != key {
            // A provider whose identifiers are paths.
            try await parts.grants.rebind(key, to: new)
            try await parts.conflicts.versions.rekey(key, to: new)
            parts.aliases.add(key, now: new)
        }
        parts.changes.contentChanged(key)
        var done = change
        done.result = said.identifier
        try await journal.finish(done)
    }

    func deleteInPlace(_ key: ItemKey, _ request: DeletionRequest) async throws -> Deletion {
        let item = try await gateway.item(key)
        let (_, connection) = try await gateway.fileProvider(key.provider)
        try Self.require("delete", connection.features, key.provider)
        if item.isFolder, !request.isRecursive, try await !gateway.children(of: key, page: nil).items.isEmpty {
            throw Self.notEmpty(item.name, key.provider)
        }
        if let version = request.version, !Optional(version).isSame(as: item.version) {
            throw Self.changed(item.name, key.provider)
        }
        let removal = ItemRemoval(.process(connection), request.trash)
        let folder = item.parent ?? ItemKey.rootIdentifier
        var change = ItemChange(
            .delete, of: key, to: folder, name: item.name, formerName: item.name, version: item.version,
            operation: request.operation, principal: request.session.principal, from: folder, isFolder: item.isFolder)
        change.isTrashed = try await removal.usesTrash(key.provider)
        change.isTemporary = removal.isTemporary ? true : nil
        return try await coordinated(request.session, request.claim, change) { [change] in
            try await parts.locks.withLock(on: key) {
                try await journal.save(change)
                parts.crash(.committed)
                let done: ItemChange
                do {
                    done = try await removal.carryOut(
                        change, base: item.isFolder ? nil : item.version, isRecursive: request.isRecursive
                    ) { try await journal.save($0) }
                } catch let failure as Failure {
                    if failure.changedNothing { try? await journal.remove(change) }
                    throw failure
                }
                parts.crash(.sent)
                try await finishDeletionInPlace(done)
                return Deletion(done)
            }
        }
    }

    /// Records a deletion that an in-place provider has carried out.
    func finishDeletionInPlace(_ change: ItemChange) async throws {
        for row in try await parts.journal.unsent(of: change.key) {
            try await parts.conflicts.keep(row, change.key, as: .unsent)
        }
        parts.changes.contentChanged(change.key)
        try await journal.finish(change)
    }

    static func require(_ feature: String, _ features: Set<String>, _ provider: String) throws {
        guard features.contains(feature) else {
            throw Failure(
                .notSupported, "\(provider) cannot \(feature) items.",
                suggestion: "Use the service's own program for this.", provider: provider)
        }
    }
}
