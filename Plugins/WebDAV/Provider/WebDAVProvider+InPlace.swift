import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Stores a new document by PUT to its own name, because the server misreads that name in a MOVE, or might.
    func createInPlace(
        _ path: RemotePath, _ contents: ContentReader, _ operation: ChangeOperation, _ progress: TransferProgress
    ) async throws -> FileProviderItem {
        try notes.add(operation)
        let reply = try await creations.run(path) {
            try await putInPlace(contents, path, [("If-None-Match", "*")], progress)
        }
        guard reply.isSuccess else {
            notes.remove(operation)
            if reply.status == 412 { throw Self.collision(path) }
            throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
        }
        try await requirePlace(path, contents, reply)
        return try await settledStored(path, contents)
    }

    /// Replaces a document by PUT to its own name, under a lock or a condition, because the server misreads that name
    /// in a MOVE, or might. An interruption can leave the beginning of the new content there. The same operation then
    /// continues from that.
    ///
    /// - Parameter before: The document as it was a moment ago.
    func replaceInPlace(
        _ before: RemoteEntry, _ base: ItemVersion?, _ contents: ContentReader, _ operation: ChangeOperation,
        _ progress: TransferProgress
    ) async throws -> FileProviderItem {
        let path = before.path
        let hasBegun = notes.has(operation)
        try await tryLocks(for: before)
        return try await server.withLock(on: path) { token in
            guard let there = try await server.optional(path, lockedBy: token) else {
                throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
            }
            if let base, there.version != base {
                guard hasBegun, try await server.hasBeginning(of: contents, there) else {
                    return try await ownOrOutOfDate(there, contents, operation)
                }
            }
            let tag = EntityTag(there.entityTag)
            let isLocked = try await isGuarded(there, token)
            guard base == nil || isLocked || tag?.isWeak == false else { throw cannotReplace(path) }
            try notes.add(operation)
            var headers: [(name: String, value: String)] = []
            if let token { headers.append(("If", "<\(server.address.url(of: path))> (\(token))")) }
            if let tag, !tag.isWeak { headers.append(("If-Match", tag.quoted)) }
            let conditions = headers
            let reply = try await replacements.replacing(path) {
                try await putInPlace(contents, path, conditions, progress)
            }
            if reply.status == 412 { return try await ownOrOutOfDate(server.existing(path), contents, operation) }
            guard reply.isSuccess else {
                throw try await parentError(reply, path, cannot: "store \"\(path.displayed)\"")
            }
            try await requirePlace(path, contents, reply)
            return try await settledStored(path, contents)
        }
    }

    private func cannotReplace(_ path: RemotePath) -> FileProviderError {
        let (what, advice) =
            hasRiskyAddress
            ? ("the address of this account", Self.addressAdvice)
            : ("the name \"\(path.displayed)\"", "Save it under another name.")
        return FileProviderError(
            .notSupported,
            "This server may misread \(what) when a document is moved, and has neither locks nor entity tags, so "
                + "\"\(path.displayed)\" cannot be replaced safely. \(advice)")
    }

    /// Refuses content that the server stored under another name (copyparty).
    private func requirePlace(_ path: RemotePath, _ contents: ContentReader, _ reply: HTTPReply) async throws {
        guard let other = otherPlace(in: reply, than: path) else { return }
        // The server may only spell the same name differently.
        if let there = try await server.optional(path), try await server.hasContent(contents, there) { return }
        throw FileProviderError(
            .notSupported,
            "The server stored the content of \"\(path.displayed)\" as \"\(other.displayed)\". Look at both there.")
    }

    private func putInPlace(
        _ contents: ContentReader, _ path: RemotePath, _ headers: [(name: String, value: String)],
        _ progress: TransferProgress
    ) async throws -> HTTPReply {
        let control = HTTPControl()
        return try await following(control, progress, total: contents.size) { [server] in
            try await server.put(contents, at: path, headers: headers, repetition: .never, control: control)
        }
    }

    /// Describes a document that was just stored, as soon as its version identifies our content only.
    func settledStored(_ path: RemotePath, _ contents: ContentReader) async throws -> FileProviderItem {
        let item = try await stored(path, contents)
        guard let entry = try await server.optional(path), entry.settling(Settling.ageToPublish) > 0,
            let settled = try await settled(entry, Settling.ageToPublish)
        else { return item }
        guard try await server.hasContent(contents, settled) else {
            throw FileProviderError(
                .versionOutOfDate, "\"\(path.displayed)\" was changed on the server meanwhile. Both are kept.")
        }
        return try await describe(settled)
    }
}
