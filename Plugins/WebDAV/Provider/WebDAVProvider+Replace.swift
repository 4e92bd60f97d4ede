import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Puts a temporary upload in the place of a document that still is at the base version.
    ///
    /// - Returns: nil when it has to be tried once more: the lock ended before the document was replaced, because the
    ///   server is slow or keeps locks for less than it says, or somebody else is replacing it.
    func replace(
        _ path: RemotePath, with temporary: RemotePath, _ base: ItemVersion?, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        try await server.withLock(on: path) { token in
            let found = try await server.optional(path, lockedBy: token)
            guard let there = try await found == nil ? returning(path) : found else {
                try await discard(operation, in: path.parent)
                throw FileProviderError(.noSuchItem, "“\(path.displayed)” is not on the server any more.")
            }
            let isLeftEmpty = isLeftEmpty(there, operation)
            if let base, there.version != base, !isLeftEmpty {
                return try await ownOrOutOfDate(there, contents, operation)
            }
            if let base, !isLeftEmpty, try await !isGuarded(there, token) {
                return try await replacements.replacing(path) {
                    try await takeOver(path, with: temporary, base, contents, operation)
                }
            }
            let reply = try await replacements.replacing(path) {
                try await moveIntoPlace(temporary, path, token)
            }
            if reply.status == 412 {
                let now = try await server.existing(path)
                if base == nil || now.version == base { return nil }
                return try await ownOrOutOfDate(now, contents, operation)
            }
            guard reply.isSuccess else {
                if reply.status >= 500 { try brokenMoves.add(operation) }
                throw try await parentError(reply, path, cannot: "store “\(path.displayed)”")
            }
            brokenMoves.remove(operation)
            return try await moved(temporary, to: path, contents)
        }
    }

    /// Whether a document is empty because the server failed in the middle of this operation's MOVE.
    ///
    /// WsgiDAV first removes what is to be replaced, together with the lock on it. Another client's LOCK at that moment
    /// makes an empty document of the name, and then the MOVE fails. The content that this operation has seen there is
    /// lost, so that ours takes its place.
    func isLeftEmpty(_ there: RemoteEntry, _ operation: ChangeOperation) -> Bool {
        there.size == 0 && brokenMoves.has(operation)
    }

    /// Whether nobody can change a document between our look and our MOVE.
    private func isGuarded(_ there: RemoteEntry, _ token: String?) async throws -> Bool {
        guard token != nil else { return false }
        if there.entityTag != nil { return true }
        return try await keepsLocks(near: there.path)
    }

    /// MOVE with the lock on the target. lighttpd wants one on the source as well, and says 412 without it.
    private func moveIntoPlace(_ source: RemotePath, _ target: RemotePath, _ token: String?) async throws -> HTTPReply {
        if !server.lockTraits.wantsBoth {
            let reply = try await server.move(source, to: target, replacing: true, lock: token)
            guard reply.status == 412, token != nil else { return reply }
        }
        return try await server.withLock(on: source) { sourceToken in
            let reply = try await server.move(
                source, to: target, replacing: true, lock: token, sourceLock: sourceToken)
            if reply.isSuccess { server.lockTraits.wantsBoth = true }
            return reply
        }
    }

    /// Replaces where nothing keeps others out: what is there is renamed out of the way, looked at once more, and only
    /// then is the new content put in its place. Of several that do so at once a single one gets what is there.
    private func takeOver(
        _ path: RemotePath, with temporary: RemotePath, _ base: ItemVersion, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        guard let name = TemporaryUpload.displacedName(operation) else { return nil }
        let displaced = path.parent.appending(name)
        let away = try await server.move(path, to: displaced, replacing: false)
        guard away.isSuccess else {
            // Somebody else was quicker, or our own displaced document of an earlier attempt is in the way.
            if try await server.optional(displaced) != nil { try await restore(displaced, path, base) }
            try await Task.sleep(for: .milliseconds(300))
            return nil
        }
        guard let taken = try await server.optional(displaced), taken.version == base else {
            try await restore(displaced, path, base)
            guard let now = try await returning(path) else { return nil }
            return try await ownOrOutOfDate(now, contents, operation)
        }
        let reply = try await server.move(temporary, to: path, replacing: false)
        guard reply.isSuccess else {
            if let other = try await server.optional(path) {
                _ = try await server.delete(displaced)
                return try await ownOrOutOfDate(other, contents, operation)
            }
            try await restore(displaced, path, base)
            throw try await parentError(reply, path, cannot: "store “\(path.displayed)”")
        }
        _ = try await server.delete(displaced)
        return try await moved(temporary, to: path, contents)
    }

    /// Gives back its place to what was renamed out of the way. Where another document took that place, only the base
    /// goes: of anything else nobody knows.
    func restore(_ displaced: RemotePath, _ path: RemotePath, _ base: ItemVersion?) async throws {
        let reply = try await server.move(displaced, to: path, replacing: false)
        guard !reply.isSuccess, try await server.optional(path) != nil,
            let left = try await server.optional(displaced), left.version == base
        else { return }
        _ = try await server.delete(displaced)
    }

    /// Looks what a MOVE of an upload did: the document is in its place, and the temporary name is gone.
    func moved(_ temporary: RemotePath, to path: RemotePath, _ contents: ContentReader) async throws -> FileProviderItem
    {
        let item = try await stored(path, contents)
        // A server that copied: the document is there, and so is what it came from.
        if try await server.isSeen(temporary) { _ = try await server.delete(temporary) }
        return item
    }
}
