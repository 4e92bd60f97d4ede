package import FileProvider
import HTTPTransport
import Synchronization

// Nextcloud puts whatever is deleted into its trash bin, if it has one.
extension WebDAVProvider {
    private static let trashPage = 1_000

    private func trashBin() async throws -> TrashBin {
        guard let nextcloud = try await server.traits().nextcloud else { throw Self.noTrashBin }
        let bin = TrashBin(server: server, nextcloud: nextcloud)
        let isThere: Bool
        if let known = hasTrashBin.withLock({ $0 }) { isThere = known } else { isThere = try await bin.isThere() }
        hasTrashBin.withLock { $0 = isThere }
        guard isThere else { throw Self.noTrashBin }
        return bin
    }

    private static var noTrashBin: FileProviderError {
        FileProviderError(.notSupported, "The server has no trash bin; only a Nextcloud has one.")
    }

    /// Deletes the item, which puts it into the trash bin.
    package func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String? {
        _ = try await trashBin()
        try await deleteItem(identifier, baseVersion: baseVersion, recursive: true)
        // The bin is only searched when somebody wants it back.
        return nil
    }

    /// Lists the items in the trash bin that were in the folder of the domain.
    package func trashedItems(page: String?) async throws -> TrashPage {
        let entries = try await trashBin().entries()
        let start = page.flatMap { Int($0) } ?? 0
        guard (0...entries.count).contains(start) else { return TrashPage(items: []) }
        let slice = entries[start...].prefix(Self.trashPage)
        let items = slice.map { entry in
            TrashedItem(
                identifier: entry.identifier.displayed, filename: entry.filename,
                path: entry.path.names.map(\.displayed), parent: identities.identifier(of: entry.path.parent),
                item: entry.number.map { IdentityMap.identifier(ofNumber: $0) }, deletionDate: entry.deleted,
                size: entry.size, isFolder: entry.isFolder)
        }
        return TrashPage(items: items, nextPage: slice.endIndex < entries.count ? String(slice.endIndex) : nil)
    }

    /// Restores an entry of the trash bin, and moves it if it is wanted elsewhere. The server restores to the former
    /// place only, and never replaces anything there; so the document is found by its number afterwards.
    package func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let bin = try await trashBin()
        guard let entry = try await bin.entries().first(where: { $0.identifier.displayed == trashed }) else {
            return try await restored(parent, name, operation)
        }
        let folder = if let parent { try await path(of: parent) } else { entry.path.parent }
        guard let wanted = name.map({ LocalName(displayed: $0) }) ?? entry.path.name,
            !TemporaryUpload.isOne(wanted)
        else {
            throw FileProviderError(.invalidArgument, "\"\(name ?? "")\" cannot be the name of a document.")
        }
        let target = folder.appending(wanted)
        guard try await server.existing(folder).isFolder else { throw Self.noFolder(folder) }
        if try await server.optional(target) != nil { throw Self.collision(target) }
        if target != entry.path { try await requireHome(entry, bin) }
        try notes.add(operation)
        do {
            try await bin.restore(entry)
        } catch {
            notes.remove(operation)
            throw error
        }
        var found = target
        if let number = entry.number, let now = try await server.search(number: number, in: bin.nextcloud) {
            identities.learn([now])
            found = now.path
        }
        if found != target {
            let isFolder = entry.isFolder
            let reply = try await creations.run(target) { [server, found] in
                try await server.move(found, to: target, isFolder: isFolder, replacing: false)
            }
            guard reply.isSuccess else {
                if reply.status == 412 { throw Self.collision(target) }
                throw server.error(reply, cannot: "move what was restored to \"\(target.displayed)\"")
            }
            identities.forget(found)
        }
        return try await describe(server.existing(target))
    }

    // The operation may be done already, with its reply lost.
    private func restored(
        _ parent: ItemIdentifier?, _ name: String?, _ operation: ChangeOperation
    ) async throws -> FileProviderItem {
        if notes.has(operation), let parent, let name = name.flatMap({ LocalName(displayed: $0) }),
            let there = try await server.optional(path(of: parent).appending(name))
        {
            return try await describe(there)
        }
        throw FileProviderError(.noSuchItem, "It is not in the trash bin.")
    }

    // Without its former folder the server would restore it to the top of the user's files, which may be outside the
    // domain; without a number it could not be found there.
    private func requireHome(_ entry: TrashBin.Entry, _ bin: TrashBin) async throws {
        let isFound =
            if bin.nextcloud.isWhole(server.address) { true } else {
                try await server.optional(entry.path.parent)?.isFolder == true
            }
        guard entry.number != nil, isFound else {
            throw FileProviderError(
                .notSupported, "The server can restore \"\(entry.filename)\" only to the folder that it was in.")
        }
    }

    /// Deletes an entry of the trash bin for good.
    package func deleteTrashedItem(_ trashed: String) async throws {
        let bin = try await trashBin()
        guard let entry = try await bin.entries().first(where: { $0.identifier.displayed == trashed }) else {
            throw FileProviderError(.noSuchItem, "It is not in the trash bin.")
        }
        try await bin.delete(entry)
    }
}
