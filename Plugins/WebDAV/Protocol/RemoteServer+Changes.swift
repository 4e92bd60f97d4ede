import FileProvider
import FoundationEssentials
import HTTPTransport

extension RemoteServer {
    /// Stores content under a name, whatever is there. Not atomic everywhere: for temporary names, or where the server
    /// is known to replace atomically.
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
        // Nextcloud, ownCloud and rclone take it; others do not know it. Not of a moment ago: rclone makes its tags of
        // the date, and its own has nanoseconds, so that no two saves have the same.
        if let date = contents.metadata?.modificationDate?.timeIntervalSince1970, (0..<1e11).contains(date),
            try await traits().isNextcloud || abs(date - Date.now.timeIntervalSince1970) > 2
        {
            request.headers.append(("X-OC-Mtime", "\(Int64(date))"))
        }
        request.body = .file(descriptor: contents.descriptor, offset: 0, count: contents.size, owner: contents)
        request.isRepeatable = isRepeatable
        request.isTransfer = true
        return try await client.perform(request, control: control)
    }

    /// Stores a few bytes, for a trial.
    func put(_ bytes: [UInt8], at path: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("PUT", address.url(of: path))
        request.headers = [("Content-Type", "application/octet-stream")]
        request.body = .bytes(bytes)
        request.isRepeatable = false
        return try await client.perform(request)
    }

    /// Gives a resource another place.
    ///
    /// - Parameters:
    ///   - replacing: Whether what is there goes.
    ///   - lock: The token of the lock on the target.
    ///   - sourceLock: The token of the lock on what is moved.
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
        let reply = try await client.perform(request)
        // nginx compares the name in the condition undecoded, so that a name with escapes is never the one locked.
        guard let lock, [412, 423].contains(reply.status),
            path.names.contains(where: { SegmentEncoding.isNeeded($0.bytes) })
        else { return reply }
        request.headers = [("If", "(\(lock))")]
        return try await client.perform(request)
    }

    /// Makes a folder.
    func makeFolder(_ path: RemotePath) async throws -> HTTPReply {
        var request = HTTPRequest("MKCOL", address.url(of: path, isFolder: true))
        request.isRepeatable = false
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
        guard reply.status == 200 else { throw error(reply, cannot: "read “\(entry.path.displayed)”") }
        return sink.isSame
    }

    /// Whether the document at a place is the beginning of this content, or all of it.
    func hasBeginning(of contents: ContentReader, _ entry: RemoteEntry) async throws -> Bool {
        guard !entry.isFolder, let size = entry.size, size <= contents.size else { return false }
        guard size > 0 else { return true }
        var request = HTTPRequest("GET", address.url(of: entry.path))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let sink = ComparingSink(contents)
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 200 else { throw error(reply, cannot: "read “\(entry.path.displayed)”") }
        return sink.isBeginning
    }

    /// What the server says of the digest of the whole content that it has; nil where it says nothing.
    ///
    /// Asked once of a server whether it tells any.
    ///
    /// - Parameter version: of which entity tag; nil: of whichever there is.
    func digest(of path: RemotePath, version: EntityTag? = nil) async throws -> StatedDigest? {
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
        let stated = StatedDigest.stated(by: reply)
        if tellsDigests == nil { tellsDigests = stated != nil }
        return stated
    }

    /// Whether what the server stored has the digest of the content, where the server tells digests; true where it does
    /// not.
    func isIntact(_ path: RemotePath, _ contents: ContentReader) async throws -> Bool {
        guard let stated = try await digest(of: path) else { return true }
        return try await DigestComputation.digest(
            of: contents.descriptor, size: contents.size, stated.algorithm, owner: contents) == stated
    }
}
