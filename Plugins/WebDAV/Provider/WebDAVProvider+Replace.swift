import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Puts a temporary upload in the place of a document that is still at the base version.
    ///
    /// - Returns: nil when another attempt is needed: the lock ended before the document was replaced, because the
    ///   server is slow or keeps locks for less than it says, or another client is replacing the document.
    func replace(
        _ path: RemotePath, with temporary: RemotePath, _ base: ItemVersion?, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        try await server.withLock(on: path) { token in
            let found = try await server.optional(path, lockedBy: token)
            guard let there = try await found == nil ? returning(path) : found else {
                try await discard(operation, in: path.parent)
                throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
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
            let reply: HTTPReply
            do {
                reply = try await replacements.replacing(path) { try await moveIntoPlace(temporary, path, token) }
            } catch {
                // How far the server came is unknown.
                try brokenMoves.add(operation)
                throw error
            }
            if reply.status == 412 {
                let now = try await server.existing(path)
                if base == nil || now.version == base { return nil }
                return try await ownOrOutOfDate(now, contents, operation)
            }
            guard reply.isSuccess else {
                if reply.status >= 500 { try brokenMoves.add(operation) }
                throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
            }
            do {
                let item = try await moved(temporary, to: path, contents)
                brokenMoves.remove(operation)
                return item
            } catch {
                // The server reported a success that it does not show.
                try brokenMoves.add(operation)
                throw error
            }
        }
    }

    /// Whether a document is empty because the server failed in the middle of this operation's MOVE.
    ///
    /// WsgiDAV first removes the target, together with its lock. Another client's LOCK at that moment makes an empty
    /// document with the name, and then the MOVE fails, or is reported as done. The content that this operation has
    /// seen there is lost, so ours takes its place.
    func isLeftEmpty(_ there: RemoteEntry, _ operation: ChangeOperation) -> Bool {
        there.size == 0 && brokenMoves.has(operation)
    }

    /// Whether other clients are kept from changing a document between our check and our MOVE.
    private func isGuarded(_ there: RemoteEntry, _ token: String?) async throws -> Bool {
        guard token != nil else { return false }
        if there.entityTag != nil { return true }
        return try await keepsLocks(near: there.path)
    }

    /// Moves with the lock on the target. lighttpd also wants one on the source, and answers 412 without it.
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

    /// Replaces a document that no lock protects. The document is renamed out of the way and compared once more, and
    /// only then the new content is put in its place. If several clients do so at once, only one of them gets the
    /// document.
    private func takeOver(
        _ path: RemotePath, with temporary: RemotePath, _ base: ItemVersion, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        guard let name = TemporaryUpload.displacedName(operation) else { return nil }
        let displaced = path.parent.appending(name)
        let away = try await server.move(path, to: displaced, replacing: false)
        guard away.isSuccess else {
            // Another client was faster, or a document that we displaced in an earlier attempt is in the way.
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
            throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
        }
        _ = try await server.delete(displaced)
        return try await moved(temporary, to: path, contents)
    }

    /// Puts a displaced document back in its place. If another document took that place, the displaced one is removed
    /// only if it is the base: any other content would be lost.
    func restore(_ displaced: RemotePath, _ path: RemotePath, _ base: ItemVersion?) async throws {
        let reply = try await server.move(displaced, to: path, replacing: false)
        guard !reply.isSuccess, try await server.optional(path) != nil,
            let left = try await server.optional(displaced), left.version == base
        else { return }
        _ = try await server.delete(displaced)
    }

    /// Checks the result of a MOVE of an upload: the document is in its place, and the temporary name is gone.
    func moved(_ temporary: RemotePath, to path: RemotePath, _ contents: ContentReader) async throws -> FileProviderItem
    {
        let item = try await stored(path, contents)
        // Some servers copy: the document is in its place, but the temporary upload still exists.
        if try await server.isSeen(temporary) { _ = try await server.delete(temporary) }
        return item
    }
}
