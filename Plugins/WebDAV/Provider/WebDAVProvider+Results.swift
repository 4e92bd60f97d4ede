import FileProvider
import HTTPTransport

// What now lies at both places after a change: a server may report a success that it does not show.
extension WebDAVProvider {
    /// Describes a document that was just stored.
    func stored(_ path: RemotePath, _ contents: ContentReader) async throws -> FileProviderItem {
        try await describe(storedEntry(path, contents))
    }

    private func storedEntry(_ path: RemotePath, _ contents: ContentReader) async throws -> RemoteEntry {
        let found = try await server.optional(path)
        guard let entry = try await found == nil ? returning(path) : found else { throw Self.vanished(path) }
        guard entry.size == nil || entry.size == contents.size else { throw Self.other(path) }
        return entry
    }

    // The server accepted it a moment ago. The next attempt finds out what happened.
    static func vanished(_ path: RemotePath) -> FileProviderError {
        FileProviderError(
            .busy,
            "The server accepted \"\(path.displayed)\" and then said that it does not exist. Check whether it is there, "
                + "and try again if not.")
    }

    static func other(_ path: RemotePath) -> FileProviderError {
        FileProviderError(
            .serverUnreachable,
            "\"\(path.displayed)\" on the server is not what was just stored. Check what is there, and try again.")
    }

    /// Checks the result of a MOVE of an upload: the document is in its place, and the temporary name is gone.
    ///
    /// - Parameter upload: The upload before the MOVE.
    func moved(
        _ upload: RemoteEntry, to path: RemotePath, _ contents: ContentReader
    ) async throws -> FileProviderItem {
        let entry = try await storedEntry(path, contents)
        var isOurs = Self.isSame(entry, as: upload)
        // Tomcat copies, so the document gets another date and tag.
        if !isOurs { isOurs = try await server.hasContent(contents, entry) }
        guard isOurs else { throw Self.other(path) }
        // Some servers copy: the document is in its place, but the temporary upload still exists.
        if try await server.isSeen(upload.path) { _ = try await server.delete(upload.path) }
        return try await describe(entry)
    }

    /// Whether a document is surely the one that was moved: it has the same tag. If its tag is not finer than a second
    /// or it has none, date and size are enough: WsgiDAV makes its tags from inodes, and an upload is settled before it
    /// is moved.
    static func isSame(_ entry: RemoteEntry, as upload: RemoteEntry) -> Bool {
        if let version = entry.version, version == upload.version { return true }
        return entry.strength == .wholeSecond && entry.size != nil && entry.size == upload.size
            && entry.modified != nil && entry.modified == upload.modified
    }

    /// Checks the result of a rename: the item has its new name, and the old name is gone.
    ///
    /// - Parameters:
    ///   - there: The item before the rename.
    ///   - reply: The answer to the MOVE, which was a success.
    func renamed(_ there: RemoteEntry, to target: RemotePath, _ reply: HTTPReply) async throws -> RemoteEntry {
        let found = try await server.optional(target)
        let moved = found.flatMap { entry in
            entry.isFolder == there.isFolder && (there.isFolder || entry.size == there.size) ? entry : nil
        }
        let (old, new) = (there.path.displayed, target.displayed)
        let isLeft = try await isLeft(there, isPartial: reply.status == 207)
        switch (moved, isLeft) {
        case (let moved?, false): return moved
        case (_?, true):
            throw FileProviderError(
                .failed,
                "The server copied \"\(old)\" to \"\(new)\" and did not remove the old name. Compare the two there.")
        case (nil, true):
            throw FileProviderError(
                .failed, "The server reported that it moved \"\(old)\" to \"\(new)\", but did not. Try again.")
        case (nil, false):
            throw FileProviderError(
                .failed,
                "The server moved \"\(old)\" away, but has \(found == nil ? "nothing" : "something else") at "
                    + "\"\(new)\". Look for it there.")
        }
    }

    /// Whether an item still has its old name after a rename. Another one may have got that name meanwhile.
    private func isLeft(_ there: RemoteEntry, isPartial: Bool) async throws -> Bool {
        // A server with a cache may still show the old name for a moment.
        for pause in [0, 50, 150, 400] {
            if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
            guard try await server.isSeen(there.path, isFolder: there.isFolder) else { return false }
        }
        guard let left = try await server.optional(there.path), left.isFolder == there.isFolder else { return false }
        return left.isFolder ? isPartial || left.modified == there.modified : left.version == there.version
    }

    /// Checks the result of a MOVE of a package: it is in its place, and its temporary name is gone.
    func movedPackage(_ staged: RemotePath, to target: RemotePath) async throws -> FileProviderItem {
        let found = try await server.optional(target)
        guard let there = try await found == nil ? returning(target) : found, there.isFolder else {
            throw Self.vanished(target)
        }
        if try await server.isSeen(staged, isFolder: true) {
            // It was copied, or only a part of it was moved.
            guard try await PackageBase(server.tree(staged)).isSame(as: PackageBase(server.tree(target))) else {
                throw FileProviderError(
                    .failed,
                    "The server moved only a part of \"\(target.displayed)\". The rest is beside it there, as "
                        + "\"\(staged.displayed)\".")
            }
            try await removeFolder(staged, isRecursive: true)
        }
        return try await describe(there)
    }

    /// Puts a package that was renamed out of the way back in its place, unless another one has taken that.
    ///
    /// - Throws: `FileProviderError` when the place is still empty.
    func restorePackage(_ displaced: RemotePath, to target: RemotePath) async throws {
        let reply = try await server.move(displaced, to: target, isFolder: true, replacing: false)
        guard reply.isSuccess || reply.status == 412 else {
            throw try await parentError(reply, target, cannot: "put \"\(target.displayed)\" back")
        }
        guard try await server.optional(target) != nil else { throw Self.vanished(target) }
    }
}
