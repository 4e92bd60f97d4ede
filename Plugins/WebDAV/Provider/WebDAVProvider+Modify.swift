package import FileProvider
import HTTPTransport

extension WebDAVProvider {
    private static let mostLocks = 3
    private static let mostRefusals = 9

    /// Replaces the content of a document if it is still at the base version. A half-written document is never visible,
    /// and the document is missing no longer than the server's own replacement takes.
    ///
    /// If the server does not replace atomically itself, the content is sent to a temporary name. Under a lock, the
    /// version is compared and the temporary upload takes the place.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        let path = try await path(of: identifier)
        return try await savings.run(path) {
            try await modify(path, identifier, baseVersion, contents, operation, progress)
        }
    }

    private func modify(
        _ path: RemotePath, _ identifier: ItemIdentifier, _ baseVersion: ItemVersion?, _ contents: ContentReader,
        _ operation: ChangeOperation, _ progress: TransferProgress
    ) async throws -> ModifiedItem {
        if let item = try await finishInterrupted(path, baseVersion, contents, operation) {
            return ModifiedItem(item: item)
        }
        let there = try await settledExisting(path, identifier)
        guard !there.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(there.path.displayed)\" is a folder on the server.")
        }
        let isTrusted = try await trustsDestination(there.path)
        if isTrusted, let baseVersion, there.version != baseVersion, !isLeftEmpty(there, operation) {
            return ModifiedItem(item: try await ownOrOutOfDate(there, contents, operation))
        }
        guard isTrusted else {
            return ModifiedItem(
                item: try await replaceInPlace(there, baseVersion, contents, operation, progress))
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
                throw try await parentError(reply, there.path, cannot: "store \"\(there.path.displayed)\"")
            }
            return ModifiedItem(item: try await stored(there.path, contents))
        }
        try await tryLocks(for: there)
        let sent = try await upload(contents, beside: there.path, operation, progress)
        for _ in 0..<Self.mostLocks {
            if let item = try await replace(there.path, with: sent, baseVersion, contents, operation) {
                return ModifiedItem(item: item)
            }
        }
        throw try await refusal(there.path, operation)
    }

    /// The error when the upload did not get into its place. A lock may have ended, or another program was faster; but
    /// a server that refuses again and again will not change its mind.
    private func refusal(_ path: RemotePath, _ operation: ChangeOperation) async throws -> FileProviderError {
        guard refusals.count(operation) >= Self.mostRefusals else {
            return FileProviderError(
                .busy,
                "The server did not replace \"\(path.displayed)\": its lock ended, or another program was changing it. "
                    + "Try again.")
        }
        try await discard(operation, in: path.parent)
        return FileProviderError(
            .failed,
            "The server refuses each request to replace \"\(path.displayed)\" (412), although it was not changed. Save "
                + "it under another name, or ask whoever runs the server.")
    }

    /// Replaces without progress reports.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        try await modifyItem(
            identifier, baseVersion: baseVersion, contents: contents, operation: operation, progress: TransferProgress()
        )
    }

    /// Handles a document that is not the base. It may have our own content, if the reply was lost.
    func ownOrOutOfDate(
        _ there: RemoteEntry, _ contents: ContentReader, _ operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let isOwn = try await server.hasContent(contents, there)
        await server.endLock(leftOn: there.path)
        try await discard(operation, in: there.path.parent)
        guard isOwn else {
            throw FileProviderError(
                .versionOutOfDate, "\"\(there.path.displayed)\" was changed on the server meanwhile. Both are kept.")
        }
        // Our content took the place, and only the reply was lost. The displaced document is the base.
        if let old = TemporaryUpload.displacedName(operation) {
            _ = try await server.delete(there.path.parent.appending(old))
        }
        return try await describe(there)
    }

    /// Finishes a replacement after the server was killed between removing the old document and storing the new one, or
    /// after we were killed between two renames. A complete temporary upload then takes the place. If the document that
    /// we had renamed out of the way is not the base, it is put back instead.
    private func finishInterrupted(
        _ path: RemotePath, _ base: ItemVersion?, _ contents: ContentReader, _ operation: ChangeOperation
    ) async throws -> FileProviderItem? {
        guard try await server.optional(path) == nil, let old = TemporaryUpload.displacedName(operation) else {
            return nil
        }
        // Nothing was moved to a name that the server misreads, or out of its way.
        guard try await trustsDestination(path) else { return nil }
        let displaced = path.parent.appending(old)
        let former = try await server.optional(displaced)
        if let former, base == nil || former.version != base {
            try await restore(displaced, path, base)
            return nil
        }
        for left in try await uploads(of: operation, in: path.parent)
        where try await server.hasContent(contents, left) {
            let reply = try await server.move(left.path, to: path, replacing: false)
            guard reply.isSuccess else {
                throw server.error(reply, cannot: "store \"\(path.displayed)\"", isConditional: true)
            }
            let item = try await moved(left, to: path, contents)
            if former != nil { _ = try await server.delete(displaced) }
            return item
        }
        if former != nil { try await restore(displaced, path, base) }
        return nil
    }
}
