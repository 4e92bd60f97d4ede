package import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Deletes a document or folder if it is still at the base version. Throws noSuchItem if it is already gone.
    package func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let there = try await settledExisting(try await path(of: identifier), identifier)
        let path = there.path
        guard !path.isRoot else { throw FileProviderError(.deletionRejected, "The top folder cannot be deleted.") }
        if there.isFolder {
            if !recursive, try await !server.entries(in: path).isEmpty {
                throw FileProviderError(
                    .directoryNotEmpty, "\"\(path.displayed)\" is not empty. Delete what is in it first, or all of it.")
            }
            try await removeFolder(path, isRecursive: recursive)
        } else if let baseVersion {
            let isDone = try await server.withLock(on: path) { token in
                try await requireBase(baseVersion, path)
                let reply = try await server.delete(path, lock: token)
                // ASGIWebDAV deletes nothing that is locked, even for the holder of the lock.
                if token != nil, reply.status == 423 { return false }
                try await check(reply, path)
                return true
            }
            if !isDone {
                try await requireBase(baseVersion, path)
                try await remove(path, isFolder: false, lock: nil)
            }
        } else {
            try await remove(path, isFolder: false, lock: nil)
        }
        identities.forget(path)
    }

    private func requireBase(_ base: ItemVersion, _ path: RemotePath) async throws {
        guard try await server.existing(path).version == base else {
            throw FileProviderError(
                .versionOutOfDate, "\"\(path.displayed)\" was changed on the server meanwhile. It was not deleted.")
        }
    }

    // Some servers (SeaweedFS) do not delete a folder with contents, and answer 405. Others (Apache) do not delete a
    // folder in which something is locked, even by a killed upload of ours. Then deleting the contents one by one shows
    // what is in the way.
    func removeFolder(_ path: RemotePath, isRecursive: Bool, depth: Int = 0) async throws {
        let reply = try await server.delete(path, isFolder: true)
        guard [207, 405, 424].contains(reply.status), isRecursive, depth < 100 else {
            return try await check(reply, path)
        }
        for entry in try await server.entries(in: path) {
            if entry.isFolder {
                try await removeFolder(entry.path, isRecursive: true, depth: depth + 1)
            } else {
                await server.endLock(leftOn: entry.path)
                try await remove(entry.path, isFolder: false, lock: nil)
            }
        }
        try await check(server.delete(path, isFolder: true), path)
    }

    private func remove(_ path: RemotePath, isFolder: Bool, lock: String?) async throws {
        try await check(server.delete(path, isFolder: isFolder, lock: lock), path)
    }

    private func check(_ reply: HTTPReply, _ path: RemotePath) async throws {
        switch reply.status {
        case 207:
            throw FileProviderError(
                .notPermitted, "The server deleted only a part of \"\(path.displayed)\". Check what is left.")
        case 404, 410: _ = try await server.existing(path)
        default:
            guard reply.isSuccess else {
                throw server.error(reply, cannot: "delete \"\(path.displayed)\"", isConditional: true)
            }
        }
    }

    /// Moves or renames an item. Never replaces one. If paths are identifiers, the result has a new identifier, and all
    /// items below have new ones too.
    package func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        guard let newName = LocalName(displayed: name), !TemporaryUpload.isOne(newName) else {
            throw FileProviderError(.invalidArgument, "\"\(name)\" cannot be the name of a document.")
        }
        let source = try await path(of: identifier)
        let target = try await path(of: parent).appending(newName)
        guard !source.isRoot, !target.isBelow(source) else {
            throw FileProviderError(.invalidArgument, "A folder cannot be moved into itself.")
        }
        if source == target { return try await describe(existing(source, identifier)) }
        guard let there = try await server.optional(source) else {
            // The operation may be done already, with its reply lost.
            if notes.has(operation), let moved = try await server.optional(target) { return try await describe(moved) }
            throw FileProviderError(.noSuchItem, "\"\(source.displayed)\" is not on the server any more.")
        }
        if let baseVersion, !there.isFolder, there.version != baseVersion {
            throw FileProviderError(.versionOutOfDate, "\"\(source.displayed)\" was changed on the server meanwhile.")
        }
        if try await server.optional(target) != nil { throw Self.collision(target) }
        guard try await server.existing(target.parent).isFolder else { throw Self.noFolder(target.parent) }
        try await requireStorable(newName, in: target.parent)
        guard try await trustsDestination(target) else { throw mistaken(target) }
        try notes.add(operation)
        let reply = try await creations.run(target) { [server] in
            try await server.move(source, to: target, isFolder: there.isFolder, replacing: false)
        }
        guard reply.isSuccess else {
            notes.remove(operation)
            if reply.status == 412 { throw Self.collision(target) }
            throw try await parentError(reply, target, cannot: "move \"\(source.displayed)\"")
        }
        identities.forget(source)
        return try await describe(renamed(there, to: target, reply))
    }

    private func mistaken(_ path: RemotePath) -> FileProviderError {
        guard !hasRiskyAddress else {
            return FileProviderError(
                .notSupported,
                "Nothing can be moved or renamed in this account: servers may misread its address then, and replace "
                    + "another document. \(Self.addressAdvice)")
        }
        return FileProviderError(
            .invalidArgument,
            "This server misreads the name \"\(path.displayed)\" when something is moved there, and might replace "
                + "another document. Choose a name without the characters ? ; # % & + and without control characters.")
    }
}
