package import FileProvider
import Glibc
import HTTPTransport

extension WebDAVProvider {
    /// Fetches the content, and resumes an interrupted download if the version is still the same.
    ///
    /// The content has to match the server's own description. Another entity tag or size is refused.
    package func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        var entry = try await settledExisting(try await path(of: identifier), identifier)
        var part = start.flatMap { start in
            entry.version == start.version && start.offset > 0
                && start.offset < entry.size ?? .max && start.offset <= destination.resumableBytes ? start : nil
        }
        var attempts = 1
        while true {
            guard !entry.isFolder else {
                throw FileProviderError(
                    .invalidArgument, "\"\(entry.path.displayed)\" is a folder; it has no content.")
            }
            do {
                return try await fetch(entry, part, destination, progress)
            } catch let error as FileProviderError where part != nil && error.underlying.contains(WrongPart.detail) {
                part = nil
            } catch let error as FileProviderError where attempts < 5 && error.underlying.contains(Missed.detail) {
                attempts += 1
                part = nil
                let now = try await settledExisting(entry.path, identifier)
                guard now.version != entry.version else { throw error }
                entry = now
            }
        }
    }

    /// Marks a refusal that may only mean that another client is replacing the document: servers that do it in two
    /// steps have none at its place between them. Apache answers 404 then, or 403 if the document was still there when
    /// it looked and not when it opened it.
    private enum Missed {
        static let detail = ErrorDetail(domain: "org.docent.WebDAV", code: 2, text: "It may be being replaced.")
    }

    /// Fetches the whole content.
    package func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await fetchContents(of: identifier, resumingAt: nil, into: destination, progress: progress)
    }

    private func fetch(
        _ entry: RemoteEntry, _ start: ResumePoint?, _ destination: ContentWriter, _ progress: TransferProgress
    ) async throws -> FileProviderItem {
        let path = entry.path
        var request = HTTPRequest("GET", server.address.url(of: path))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let part = start.flatMap { DownloadPart($0, of: entry) }
        if let part { request.headers += part.headers }
        let control = HTTPControl()
        let sink = DownloadSink(destination, resumingAt: part, control: control)
        let sent = request
        let reply = try await following(control, progress, total: entry.size) { [server] in
            try await server.client.perform(sent, into: sink, control: control)
        }
        switch reply.status {
        case 200, 206: break
        case 416 where start != nil:
            throw FileProviderError(
                .serverUnreachable, "The server has no such part.", underlying: [WrongPart.detail])
        case 404, 410:
            throw FileProviderError(
                .serverUnreachable, "The server lists \"\(path.displayed)\" but does not deliver it.",
                underlying: [Missed.detail])
        default:
            var error = server.error(reply, cannot: "read \"\(path.displayed)\"")
            if reply.status == 403 { error.underlying.append(Missed.detail) }
            throw error
        }
        guard try await isIntact(path, reply, sink, destination) else {
            throw Self.refused(
                destination,
                "The content received of \"\(path.displayed)\" is not what the server sent: its digest differs. "
                    + "Nothing of it was kept. Try again.")
        }
        var described = entry
        if !Self.isContent(of: described, reply, sink.position) {
            // The document changed between the two requests, or the server sent another one.
            described = try await server.existing(path)
            guard Self.isContent(of: described, reply, sink.position) else {
                throw Self.refused(
                    destination,
                    "The server sent other content for \"\(path.displayed)\" than it describes. Nothing of it was "
                        + "kept. Try again.")
            }
        }
        return try await describe(described)
    }

    /// Whether the received content matches the server's digest. True if the server states none. For a resumed
    /// download, the server is asked for the digest of the whole content.
    private func isIntact(
        _ path: RemotePath, _ reply: HTTPReply, _ sink: DownloadSink, _ destination: ContentWriter
    ) async throws -> Bool {
        if let computed = sink.computed { return computed == sink.stated }
        guard sink.beginning > 0 else { return true }
        var stated = sink.stated
        if stated == nil, let tag = EntityTag(reply["etag"]) {
            stated = try await server.digest(of: path, version: tag)
        }
        guard let stated else { return true }
        return try await DigestComputation.digest(
            of: destination.descriptor, size: sink.position, stated.algorithm, owner: destination) == stated
    }

    // Busy rather than unreachable: the server answers, and its other documents may be fine.
    private static func refused(_ destination: ContentWriter, _ message: String) -> FileProviderError {
        // The download must not be resumed from this content.
        _ = ftruncate(destination.descriptor, 0)
        return FileProviderError(.busy, message)
    }

    private static func isContent(of entry: RemoteEntry, _ reply: HTTPReply, _ size: Int) -> Bool {
        if let expected = entry.size, expected != size { return false }
        if let given = EntityTag(reply["etag"]), let described = EntityTag(entry.entityTag) {
            return given.opaque == described.opaque
        }
        if let modified = reply["last-modified"].flatMap(HTTPDate.seconds), let described = entry.modified {
            return modified == described
        }
        return true
    }

    /// Runs a transfer and reports its progress several times a second.
    func following<Value: Sendable>(
        _ control: HTTPControl, _ progress: TransferProgress, total: Int?,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                do {
                    return try await body()
                } catch {
                    // The bytes received before the interruption need not be sent again.
                    try? await progress.report(completed: control.moved, total: total)
                    throw error
                }
            }
            group.addTask {
                var last = 0
                while !Task.isCancelled {
                    do { try await Task.sleep(for: .milliseconds(200)) } catch { return nil }
                    let moved = control.moved
                    if moved != last {
                        last = moved
                        try await progress.report(completed: moved, total: total)
                    }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
