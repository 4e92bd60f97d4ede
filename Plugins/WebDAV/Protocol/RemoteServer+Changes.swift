import FileProvider
import FoundationEssentials

extension RemoteServer {
    /// Stores content under a name, whatever is there. Not atomic everywhere: for temporary names, or where the server is
    /// known to replace atomically.
    ///
    /// - Parameters:
    ///   - headers: Conditions.
    ///   - isRepeatable: Whether storing it twice is the same as once.
    func put(
        _ contents: ContentReader, at path: RemotePath, headers: [(name: String, value: String)] = [],
        isRepeatable: Bool = true, control: HTTPControl = HTTPControl()
    ) async throws -> HTTPReply {
        var request = HTTPRequest("PUT", address.url(of: path))
        request.headers = headers + [("Content-Type", "application/octet-stream")]
        // Nextcloud, ownCloud and rclone take it; others do not know it.
        if let date = contents.metadata?.modificationDate?.timeIntervalSince1970, (0..<1e11).contains(date) {
            request.headers.append(("X-OC-Mtime", "\(Int64(date))"))
        }
        request.body = .file(descriptor: contents.descriptor, offset: 0, count: contents.size, owner: contents)
        request.isRepeatable = isRepeatable
        request.isTransfer = true
        return try await client.perform(request, control: control)
    }

    /// Gives a resource another place.
    ///
    /// - Parameters:
    ///   - replacing: Whether what is there goes.
    ///   - lock: The token of the lock on the target.
    func move(
        _ source: RemotePath, to target: RemotePath, isFolder: Bool = false, replacing: Bool, lock: String? = nil
    ) async throws -> HTTPReply {
        let destination = address.url(of: target, isFolder: isFolder)
        var request = HTTPRequest("MOVE", address.url(of: source, isFolder: isFolder))
        request.headers = [("Destination", destination), ("Overwrite", replacing ? "T" : "F")]
        if let lock { request.headers.append(("If", "<\(destination)> (\(lock))")) }
        request.isRepeatable = false
        request.patience = 600
        return try await client.perform(request)
    }

    /// Copies a document on the server, never replacing anything.
    func copy(_ source: RemotePath, to target: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("COPY", address.url(of: source))
        request.headers = [("Destination", address.url(of: target)), ("Overwrite", "F"), ("Depth", "0")]
        request.isRepeatable = false
        request.patience = 600
        return try await client.perform(request)
    }

    /// Describes all that lies below a folder, at any depth, by its path from there.
    ///
    /// - Parameters:
    ///   - count: The most that it may be.
    /// - Throws: `FileProviderError`; notSupported for more, or deeper folders than a package has.
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
                throw FileProviderError(.notSupported, "“\(folder.displayed)” is too large for a package.")
            }
        }
        return found
    }

    /// Removes a resource with all below it.
    ///
    /// - Parameter lock: The token of the lock on it.
    func delete(_ path: RemotePath, isFolder: Bool = false, lock: String? = nil) async throws -> HTTPReply {
        var request = HTTPRequest("DELETE", address.url(of: path, isFolder: isFolder))
        // Said of the resource by name: said of none it would be wanted of the folder as well.
        if let lock { request.headers = [("If", "<\(request.url)> (\(lock))")] }
        request.isRepeatable = false
        request.patience = 600
        return try await client.perform(request)
    }

    /// Makes a folder.
    func makeFolder(_ path: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("MKCOL", address.url(of: path, isFolder: true))
        request.isRepeatable = false
        return try await client.perform(request)
    }

    /// Runs the body while nobody else can write at a place, where the server can see to that; its token is given to the
    /// body. The lock ends with the body; after a crash when we want it again, or by itself in half a minute.
    ///
    /// - Throws: `FileProviderError`: busy while somebody else has a lock; what the body throws.
    func withLock<Value: Sendable>(
        on path: RemotePath, _ body: (_ token: String?) async throws -> Value
    ) async throws -> Value {
        guard try await traits().hasLocks, let token = try await lock(path) else { return try await body(nil) }
        do {
            let value = try await body(token)
            await unlock(path, token)
            return value
        } catch {
            await unlock(path, token)
            throw error
        }
    }

    private func lock(_ path: RemotePath) async throws -> String? {
        var request = HTTPRequest("LOCK", address.url(of: path))
        request.headers = [
            ("Depth", "0"), ("Timeout", "Second-30"), ("Content-Type", "application/xml; charset=utf-8"),
        ]
        request.body = .bytes(RequestBody.lock)
        request.isRepeatable = false
        var reply = try await client.perform(request, into: MemorySink(limit: 1 << 20))
        if reply.status == 423, let left = locks.left(on: request.url) {
            await unlock(path, left)
            reply = try await client.perform(request, into: MemorySink(limit: 1 << 20))
        }
        // 403: some servers have no locks for some files and say so only here.
        if [403, 405, 501].contains(reply.status) { return nil }
        guard reply.isSuccess else { throw error(reply, cannot: "change “\(path.displayed)”") }
        // A lock on nothing makes an empty document on some servers. It has no version that anybody knows, so the caller's
        // comparison refuses it; it is not removed, because nobody can be sure whose it is.
        let token = reply["lock-token"].flatMap { $0.hasPrefix("<") && $0.hasSuffix(">") ? $0 : nil }
        if let token { locks.add(token, on: request.url) }
        return token
    }

    /// Ends a lock that an earlier attempt of ours left there.
    func endLock(leftOn path: RemotePath) async {
        if let left = locks.left(on: address.url(of: path)) { await unlock(path, left) }
    }

    private func unlock(_ path: RemotePath, _ token: String) async {
        var request = HTTPRequest("UNLOCK", address.url(of: path))
        request.headers = [("Lock-Token", token)]
        request.isRepeatable = false
        let sent = request
        // Also when the task was cancelled; a failure does no harm: the lock ends by itself.
        let reply = await Task { [client] in try? await client.perform(sent) }.value
        locks.remove(sent.url, isEnded: reply != nil)
    }

    /// Whether the document at a place has exactly this content.
    func hasContent(_ contents: ContentReader, _ entry: RemoteEntry) async throws -> Bool {
        guard !entry.isFolder, entry.size == nil || entry.size == contents.size else { return false }
        var request = HTTPRequest("GET", address.url(of: entry.path))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let sink = ComparingSink(contents)
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 200 else { throw error(reply, cannot: "read “\(entry.path.displayed)”") }
        return sink.isSame
    }

    /// What the server says of the digest of the whole content that it has; nil where it says nothing.
    ///
    /// Asked once of a server whether it tells any.
    ///
    /// - Parameter version: of which entity tag; nil: of whichever there is.
    func digest(of path: RemotePath, version: EntityTag? = nil) async throws -> ContentDigest? {
        guard tellsDigests != false else { return nil }
        var request = HTTPRequest("HEAD", address.url(of: path))
        // Without this a server may tell the digest of a packed form.
        request.headers = [("Accept-Encoding", "identity")]
        // Some compute it now, of all the content.
        request.patience = 600
        request.isTransfer = true
        let reply = try await client.perform(request)
        guard reply.status == 200, (reply["content-encoding"] ?? "identity").lowercased() == "identity" else {
            return nil
        }
        if let version, EntityTag(reply["etag"])?.opaque != version.opaque { return nil }
        let stated = ContentDigest.stated(by: reply)
        if tellsDigests == nil { tellsDigests = stated != nil }
        return stated
    }

    /// Whether what the server stored has the digest of the content, where the server tells digests; true where it does not.
    func isIntact(_ path: RemotePath, _ contents: ContentReader) async throws -> Bool {
        guard let stated = try await digest(of: path) else { return true }
        return try await DigestComputation.digest(
            of: contents.descriptor, size: contents.size, stated.algorithm, owner: contents) == stated
    }
}
