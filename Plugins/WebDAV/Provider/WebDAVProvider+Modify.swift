package import FileProvider

extension WebDAVProvider {
    private static let mostLocks = 3

    /// Replaces the content of a document if it still is at the base version. It is never seen half written, and never
    /// missing for longer than the server's own replacement takes.
    ///
    /// Where the server does not replace atomically itself: the content goes to a temporary name; under a lock the version
    /// is compared, and the temporary upload takes the place.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        let path = try await path(of: identifier)
        if let item = try await finishInterrupted(path, contents, operation) { return ModifiedItem(item: item) }
        let there = try await existing(path, identifier)
        guard !there.isFolder else {
            throw FileProviderError(.invalidArgument, "“\(there.path.displayed)” is a folder on the server.")
        }
        if let baseVersion, there.version != baseVersion {
            return ModifiedItem(item: try await ownOrOutOfDate(there, contents, operation))
        }
        if try await server.traits().isNextcloud {
            let tag = baseVersion.flatMap { EntityTag($0) }
            let reply = try await putDirectly(
                contents, at: there.path, condition: tag.map { ("If-Match", $0.quoted) }, operation, progress)
            if reply.status == 412 {
                return ModifiedItem(
                    item: try await ownOrOutOfDate(server.existing(there.path), contents, operation))
            }
            guard reply.isSuccess else {
                throw try await parentError(reply, there.path, cannot: "store “\(there.path.displayed)”")
            }
            return ModifiedItem(item: try await stored(there.path, contents))
        }
        let temporary = try await upload(contents, beside: there.path, operation, progress)
        for _ in 0..<Self.mostLocks {
            if let item = try await replace(there.path, with: temporary, baseVersion, contents, operation) {
                return ModifiedItem(item: item)
            }
        }
        throw FileProviderError(
            .serverUnreachable, "The lock on “\(path.displayed)” ended before it was replaced. It is tried again.")
    }

    /// Replaces without telling how far it has come.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        try await modifyItem(
            identifier, baseVersion: baseVersion, contents: contents, operation: operation, progress: TransferProgress()
        )
    }

    // Nil when the lock ended before the document was replaced: the server is slow, or keeps locks for less than it says.
    private func replace(
        _ path: RemotePath, with temporary: RemotePath, _ base: ItemVersion?, _ contents: ContentReader,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        try await server.withLock(on: path) { token in
            guard let there = try await server.optional(path) else {
                try await discard(operation, in: path.parent)
                throw FileProviderError(.noSuchItem, "“\(path.displayed)” is not on the server any more.")
            }
            if let base, there.version != base { return try await ownOrOutOfDate(there, contents, operation) }
            let reply = try await replacements.replacing(path) {
                try await server.move(temporary, to: path, replacing: true, lock: token)
            }
            if reply.status == 412 {
                let now = try await server.existing(path)
                if base == nil || now.version == base { return nil }
                return try await ownOrOutOfDate(now, contents, operation)
            }
            guard reply.isSuccess else {
                throw try await parentError(reply, path, cannot: "store “\(path.displayed)”")
            }
            return try await stored(path, contents)
        }
    }

    /// What is there is not the base: it may be our own content, whose reply was lost.
    private func ownOrOutOfDate(
        _ there: RemoteEntry, _ contents: ContentReader, _ operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let isOwn = try await server.hasContent(contents, there)
        await server.endLock(leftOn: there.path)
        try await discard(operation, in: there.path.parent)
        guard isOwn else {
            throw FileProviderError(
                .versionOutOfDate, "“\(there.path.displayed)” was changed on the server meanwhile. Both are kept.")
        }
        return try await describe(there)
    }

    /// A server that was killed while it replaced may have removed the old document and not yet put the new one in its
    /// place: then the temporary upload, if it is whole, is that document.
    private func finishInterrupted(
        _ path: RemotePath, _ contents: ContentReader, _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        guard let name = TemporaryUpload.name(operation), try await server.optional(path) == nil,
            let left = try await server.optional(path.parent.appending(name)),
            try await server.hasContent(contents, left)
        else { return nil }
        let reply = try await server.move(left.path, to: path, replacing: false)
        guard reply.isSuccess else {
            throw server.error(reply, cannot: "store “\(path.displayed)”", isConditional: true)
        }
        return try await stored(path, contents)
    }
}
