import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Sends content to a temporary name beside its target. Each attempt has its own name, and the uploads of earlier
    /// attempts are removed.
    ///
    /// - Returns: The upload under its temporary name. Its content has the right size, and its version is so old that
    ///   any later change gets another one.
    func upload(
        _ contents: ContentReader, beside target: RemotePath, _ operation: ChangeOperation, _ progress: TransferProgress
    ) async throws -> RemoteEntry {
        let temporary: RemotePath
        let reply: HTTPReply
        do {
            (temporary, reply) = try await send(contents, beside: target, operation, progress, .byCaller)
        } catch let error as FileProviderError where HTTPFailure.isConnectionClosed(error) {
            (temporary, reply) = try await send(contents, beside: target, operation, progress, .never)
        }
        guard reply.isSuccess else {
            throw try await parentError(reply, target, cannot: "store \"\(target.displayed)\"")
        }
        if let place = otherPlace(in: reply, than: temporary), let name = place.name,
            TemporaryUpload.isUpload(name, of: operation)
        {
            _ = try await server.delete(place)
            throw FileProviderError(
                .busy,
                "The server stored \"\(target.displayed)\" under a different name from the one requested. Nothing of it "
                    + "was kept. Try again.")
        }
        // Without a document there, its size and digest cannot be checked.
        guard let sent = try await sized(temporary, contents),
            let entry = try await settled(sent, Settling.ageToPublish)
        else { throw Self.vanished(target) }
        guard entry.size == nil || entry.size == contents.size else {
            throw FileProviderError(
                .serverUnreachable,
                "The server stored \(entry.size ?? 0) of \(contents.size) bytes of \"\(target.displayed)\". Nothing was "
                    + "replaced. Try again.")
        }
        guard try await server.isIntact(temporary, contents) else {
            _ = try await server.delete(temporary)
            throw FileProviderError(
                .busy,
                "The server's copy of \"\(target.displayed)\" differs from what was sent: its digest does not match. "
                    + "Nothing of it was kept. Try again.")
        }
        return entry
    }

    /// One attempt to send content to a temporary name.
    private func send(
        _ contents: ContentReader, beside target: RemotePath, _ operation: ChangeOperation,
        _ progress: TransferProgress, _ repetition: HTTPRequest.Repetition
    ) async throws -> (temporary: RemotePath, reply: HTTPReply) {
        let attempt = attempts.count(operation)
        guard let name = TemporaryUpload.name(operation, attempt: attempt) else {
            throw FileProviderError(.invalidArgument, "The operation has no name.")
        }
        try attempts.increase(operation)
        if attempt > 0 { try await removeUploads(of: operation, in: target.parent, attempts: attempt) }
        let temporary = target.parent.appending(name)
        let control = HTTPControl()
        let reply = try await following(control, progress, total: contents.size) { [server] in
            try await server.put(contents, at: temporary, repetition: repetition, control: control)
        }
        return (temporary, reply)
    }

    /// Where a server says that it stored content, if that is another name in the same folder; nil otherwise.
    func otherPlace(in reply: HTTPReply, than path: RemotePath) -> RemotePath? {
        guard let place = reply["location"].flatMap({ server.address.path(ofReference: $0, in: path.parent) }),
            place != path, place.parent == path.parent
        else { return nil }
        return place
    }

    // A server with a cache may report the old size for a moment.
    private func sized(_ path: RemotePath, _ contents: ContentReader) async throws -> RemoteEntry? {
        var entry = try await server.optional(path)
        for pause in [50, 150, 400] {
            guard let size = entry?.size, size != contents.size else { break }
            try await Task.sleep(for: .milliseconds(pause))
            entry = try await server.optional(path)
        }
        return entry
    }

    /// Removes the uploads of an operation that cannot succeed.
    func discard(_ operation: ChangeOperation, in folder: RemotePath) async throws {
        try await removeUploads(of: operation, in: folder, attempts: attempts.count(operation))
    }

    /// The uploads that the attempts of an operation left in a folder.
    func uploads(of operation: ChangeOperation, in folder: RemotePath) async throws -> [RemoteEntry] {
        var found = try await server.everything(in: folder).filter { entry in
            entry.path.name.map { TemporaryUpload.isUpload($0, of: operation) } ?? false
        }
        // Some servers do not list names that begin with a dot.
        for attempt in 0..<max(1, min(attempts.count(operation), Self.mostAttempts)) {
            guard let name = TemporaryUpload.name(operation, attempt: attempt) else { continue }
            let path = folder.appending(name)
            if !found.contains(where: { $0.path == path }), let entry = try await server.optional(path) {
                found.append(entry)
            }
        }
        return found
    }

    private func removeUploads(of operation: ChangeOperation, in folder: RemotePath, attempts: Int) async throws {
        // Records do not last for ever, so the first name is tried without one.
        for attempt in max(0, attempts - Self.mostAttempts)..<max(1, attempts) {
            guard let name = TemporaryUpload.name(operation, attempt: attempt) else { continue }
            _ = try await server.delete(folder.appending(name))
        }
        guard attempts > 0 else { return }
        // Uploads that the server stored under other names.
        for left in try await server.everything(in: folder)
        where left.path.name.map({ TemporaryUpload.isUpload($0, of: operation) }) ?? false && !left.isFolder {
            _ = try await server.delete(left.path)
        }
    }

    private static let mostAttempts = 20
}
