import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Puts a temporary upload in the place of a document that is still at the base version.
    ///
    /// - Returns: nil when another attempt is needed: the lock ended before the document was replaced, because the
    ///   server is slow or keeps locks for less than it says; the server refuses the lock's holder; or another client
    ///   is replacing the document.
    func replace(
        _ path: RemotePath, with sent: RemoteEntry, _ base: ItemVersion?, _ contents: ContentReader,
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
                    try await takeOver(path, with: sent, base, contents, operation)
                }
            }
            let reply: HTTPReply
            do {
                reply = try await replacements.replacing(path) { try await moveIntoPlace(sent.path, path, token) }
            } catch {
                // How far the server came is unknown.
                try brokenMoves.add(operation)
                throw error
            }
            if reply.status == 412 {
                let now = try await server.existing(path)
                if base == nil || now.version == base {
                    try refusals.increase(operation)
                    return nil
                }
                return try await ownOrOutOfDate(now, contents, operation)
            }
            // ASGIWebDAV does not decode the name in the condition, so it refuses even the holder of the lock.
            if reply.status == 423, token != nil, server.isEncoded(path) {
                _ = try await server.optional(path, lockedBy: token)
                server.lockTraits.misreadsNames = true
                return nil
            }
            guard reply.isSuccess else {
                if reply.status >= 500 { try brokenMoves.add(operation) }
                throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
            }
            do {
                let item = try await moved(sent, to: path, contents)
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
    func isGuarded(_ there: RemoteEntry, _ token: String?) async throws -> Bool {
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
        _ path: RemotePath, with sent: RemoteEntry, _ base: ItemVersion, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        guard let name = TemporaryUpload.displacedName(operation) else { return nil }
        let displaced = path.parent.appending(name)
        let away = try await server.move(path, to: displaced, replacing: false)
        guard away.isSuccess else {
            if away.status == 423 { throw try await server.locked(path, away) }
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
        let reply = try await server.move(sent.path, to: path, replacing: false)
        guard reply.isSuccess else {
            if let other = try await server.optional(path) {
                _ = try await server.delete(displaced)
                return try await ownOrOutOfDate(other, contents, operation)
            }
            try await restore(displaced, path, base)
            throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
        }
        // Until the new content is seen in its place, the displaced document is all there is.
        let item = try await moved(sent, to: path, contents)
        _ = try await server.delete(displaced)
        return item
    }

    /// Puts a displaced document back in its place. If another document took that place, the displaced one is removed
    /// only if it is the base: any other content would be lost.
    ///
    /// - Throws: `FileProviderError` when the document is still displaced and its place empty; the next attempt puts it
    ///   back.
    func restore(_ displaced: RemotePath, _ path: RemotePath, _ base: ItemVersion?) async throws {
        let reply = try await server.move(displaced, to: path, replacing: false)
        guard let left = try await server.optional(displaced) else { return }
        guard let there = try await server.optional(path) else {
            guard reply.isSuccess || reply.status == 412 else {
                throw try await parentError(reply, path, cannot: "put \"\(path.displayed)\" back")
            }
            throw Self.vanished(path)
        }
        // Some servers copy, so that it is at both places.
        guard left.version == base || (reply.isSuccess && Self.isSame(there, as: left)) else { return }
        _ = try await server.delete(displaced)
    }
}
