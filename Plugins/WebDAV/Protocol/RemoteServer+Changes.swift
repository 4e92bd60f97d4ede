import FileProvider
import FoundationEssentials
import HTTPTransport

extension RemoteServer {
    /// Stores content under a name and overwrites what is there. Not atomic on every server, so this is for temporary
    /// names and for servers that are known to replace atomically.
    ///
    /// - Parameters:
    ///   - headers: Conditions.
    ///   - repetition: Who sends it again when a kept connection turns out to be closed. Some servers (copyparty) store
    ///     a second one under another name, so it is never libcurl.
    /// - Throws: `FileProviderError` for which ``HTTPFailure/isConnectionClosed(_:)`` is true when it is the caller's
    ///   turn.
    func put(
        _ contents: ContentReader, at path: RemotePath, headers: [(name: String, value: String)] = [],
        repetition: HTTPRequest.Repetition, control: HTTPControl = HTTPControl()
    ) async throws -> HTTPReply {
        var request = HTTPRequest("PUT", address.url(of: path))
        request.headers = headers + [("Content-Type", "application/octet-stream")]
        // Nextcloud, ownCloud and rclone use this header; other servers ignore it. Recent dates are left out: rclone
        // makes its tags from the date, and its own date has nanoseconds, so that no two saves get the same tag.
        if let date = contents.metadata?.modificationDate?.timeIntervalSince1970, (0..<1e11).contains(date),
            try await traits().isNextcloud || abs(date - Date.now.timeIntervalSince1970) > 2
        {
            request.headers.append(("X-OC-Mtime", "\(Int64(date))"))
        }
        request.body = .file(descriptor: contents.descriptor, offset: 0, count: contents.size, owner: contents)
        request.repetition = repetition
        request.isTransfer = true
        return try await client.perform(request, control: control)
    }

    /// Stores a few bytes, for a trial.
    func put(_ bytes: [UInt8], at path: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("PUT", address.url(of: path))
        request.headers = [("Content-Type", "application/octet-stream")]
        request.body = .bytes(bytes)
        request.repetition = .never
        return try await client.perform(request)
    }

    /// Moves a resource.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing target is replaced.
    ///   - lock: The token of the lock on the target.
    ///   - sourceLock: The token of the lock on the source.
    func move(
        _ source: RemotePath, to target: RemotePath, isFolder: Bool = false, replacing: Bool, lock: String? = nil,
        sourceLock: String? = nil
    ) async throws -> HTTPReply {
        let destination = address.url(of: target, isFolder: isFolder)
        var request = HTTPRequest("MOVE", address.url(of: source, isFolder: isFolder))
        request.headers = [("Destination", destination), ("Overwrite", replacing ? "T" : "F")]
        if let lock {
            let other = sourceLock.map { " <\(request.url)> (\($0))" } ?? ""
            request.headers.append(("If", "<\(destination)> (\(lock))" + other))
        }
        request.repetition = .never
        request.patience = 600
        return try await client.perform(request)
    }

    /// Copies a document on the server. Never replaces anything.
    func copy(_ source: RemotePath, to target: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("COPY", address.url(of: source))
        request.headers = [("Destination", address.url(of: target)), ("Overwrite", "F"), ("Depth", "0")]
        request.repetition = .never
        request.patience = 600
        return try await client.perform(request)
    }

    /// Describes everything below a folder, at any depth, by its path relative to the folder.
    ///
    /// - Parameters:
    ///   - count: The maximum number of entries.
    /// - Throws: `FileProviderError`; notSupported if there are more entries, or more levels than a package may have.
    func tree(_ folder: RemotePath, atMost count: Int = 10_000) async throws -> [ExactText: RemoteEntry] {
        var found: [ExactText: RemoteEntry] = [:]
        var rest = [(path: folder, shown: "")]
        while let (path, shown) = rest.popLast() {
            try Task.checkCancellation()
            for entry in try await entries(in: path) {
                let text = shown + entry.path.displayed
                found[ExactText(text)] = entry
                if entry.isFolder { rest.append((entry.path, text + "/")) }
            }
            guard found.count <= count, path.names.count <= folder.names.count + 33 else {
                throw FileProviderError(.notSupported, "\"\(folder.displayed)\" is too large for a package.")
            }
        }
        return found
    }

    /// Removes a resource and everything below it.
    ///
    /// - Parameter lock: The token of the lock on the resource.
    func delete(_ path: RemotePath, isFolder: Bool = false, lock: String? = nil) async throws -> HTTPReply {
        var request = HTTPRequest("DELETE", address.url(of: path, isFolder: isFolder))
        // The condition names the resource. Without a name it would apply to the folder too.
        if let lock { request.headers = [("If", "<\(request.url)> (\(lock))")] }
        request.repetition = .never
        request.patience = 600
        let reply = try await client.perform(request)
        // nginx does not decode the name in the condition, so a name with escapes never matches the locked one.
        guard let lock, [412, 423].contains(reply.status),
            path.names.contains(where: { SegmentEncoding.isNeeded($0.bytes) })
        else { return reply }
        request.headers = [("If", "(\(lock))")]
        return try await client.perform(request)
    }

    func makeFolder(_ path: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("MKCOL", address.url(of: path, isFolder: true))
        request.repetition = .never
        return try await client.perform(request)
    }

    /// Whether the document at a place has exactly this content.
    func hasContent(_ contents: ContentReader, _ entry: RemoteEntry) async throws -> Bool {
        guard !entry.isFolder, entry.size == nil || entry.size == contents.size else { return false }
        var request = HTTPRequest("GET", address.url(of: entry.path))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let sink = ComparingSink(contents)
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 200 else { throw try await unread(entry, reply) }
        return sink.isSame
    }

    /// Whether the document at a place is a prefix of this content, or all of it.
    func hasBeginning(of contents: ContentReader, _ entry: RemoteEntry) async throws -> Bool {
        guard !entry.isFolder, let size = entry.size, size <= contents.size else { return false }
        guard size > 0 else { return true }
        var request = HTTPRequest("GET", address.url(of: entry.path))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let sink = ComparingSink(contents)
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 200 else { throw try await unread(entry, reply) }
        return sink.isBeginning
    }

    // Servers that replace a document in two steps have none at its place between them. Apache may answer 403 then.
    private func unread(_ entry: RemoteEntry, _ reply: HTTPReply) async throws -> FileProviderError {
        let isReplaced =
            switch reply.status {
            case 404, 410: true
            case 403: try await optional(entry.path)?.version != entry.version
            default: false
            }
        guard isReplaced else { return error(reply, cannot: "read \"\(entry.path.displayed)\"") }
        return FileProviderError(
            .busy,
            "\"\(entry.path.displayed)\" was moved away or deleted while it was compared. Try again.",
            underlying: [ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")])
    }

    /// The digest of the whole stored content, as the server states it; nil if it states none.
    ///
    /// A server that is known to state no digests is not asked again.
    ///
    /// - Parameter version: The entity tag that the content must have; nil for any.
    func digest(of path: RemotePath, version: EntityTag? = nil) async throws -> StatedDigest? {
        guard tellsDigests != false else { return nil }
        var request = HTTPRequest("HEAD", address.url(of: path))
        // Otherwise a server may state the digest of a compressed form.
        request.headers = [("Accept-Encoding", "identity")]
        // Some servers compute the digest now, from the whole content.
        request.patience = 600
        request.isTransfer = true
        let reply = try await client.perform(request)
        guard reply.status == 200, (reply["content-encoding"] ?? "identity").lowercased() == "identity" else {
            return nil
        }
        if let version, EntityTag(reply["etag"])?.opaque != version.opaque { return nil }
        let stated = StatedDigest.stated(by: reply)
        if tellsDigests == nil { tellsDigests = stated != nil }
        return stated
    }

    /// Whether the stored content has the digest of the sent content. True if the server states no digests.
    func isIntact(_ path: RemotePath, _ contents: ContentReader) async throws -> Bool {
        guard let stated = try await digest(of: path) else { return true }
        return try await DigestComputation.digest(
            of: contents.descriptor, size: contents.size, stated.algorithm, owner: contents) == stated
    }
}
