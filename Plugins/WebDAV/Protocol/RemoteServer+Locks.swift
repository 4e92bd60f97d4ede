import FileProvider
import HTTPTransport

extension RemoteServer {
    /// Runs the body with a lock on a place, if the server supports locks, and passes the token of the lock to it. The
    /// lock ends with the body. After a crash it ends when we lock the place again, or by itself in half a minute.
    ///
    /// - Throws: `FileProviderError`: busy while another client has a lock; what the body throws.
    func withLock<Value: Sendable>(
        on path: RemotePath, _ body: (_ token: String?) async throws -> Value
    ) async throws -> Value {
        guard try await usesLocks(on: path), let token = try await lock(path) else { return try await body(nil) }
        do {
            let value = try await body(token)
            await unlock(path, token)
            return value
        } catch {
            await unlock(path, token)
            throw error
        }
    }

    /// Whether a place is locked while it is changed.
    func usesLocks(on path: RemotePath) async throws -> Bool {
        // A lock that does not keep others out is harmful: copyparty makes an empty document when the name is free for
        // a moment because another client replaces the document.
        let traits = try await traits()
        let known = lockTraits
        return traits.hasLocks && !known.isUnusable && known.isKept != false
            && !(known.misreadsNames && isEncoded(path))
    }

    /// Whether the URL of a place contains encoded characters.
    func isEncoded(_ path: RemotePath) -> Bool { address.url(of: path).contains("%") }

    /// The error for a request that the lock of another client, or a lost lock of ours, prevents.
    func locked(_ path: RemotePath, _ reply: HTTPReply) async throws -> FileProviderError {
        locked(path, by: try await holder(of: path), reply)
    }

    /// Describes a resource on which we hold a lock; nil if it certainly does not exist.
    ///
    /// Tomcat gives a lock to each of two clients that ask at the same moment, and afterwards knows only the later
    /// lock. So this also checks that the lock is ours.
    ///
    /// - Throws: `FileProviderError` busy when another client holds the lock.
    func optional(_ path: RemotePath, lockedBy token: String?) async throws -> RemoteEntry? {
        guard let token else { return try await optional(path) }
        let answer = MemorySink(limit: 1 << 20)
        let entry = try await optional(path, copy: answer)
        let locks = LockDescription.all(in: answer.bytes)
        // The token may be spelled differently here than in the answer to LOCK. The owner is the text that we sent.
        if let other = locks.first(where: { $0.owner != nil }), !locks.contains(where: { $0.token == token }),
            !locks.contains(where: { $0.owner == self.locks.owner })
        {
            throw locked(path, by: other)
        }
        return entry
    }

    private func lock(_ path: RemotePath) async throws -> String? {
        var request = HTTPRequest("LOCK", address.url(of: path))
        request.headers = [
            ("Depth", "0"), ("Timeout", "Second-30"), ("Content-Type", "application/xml; charset=utf-8"),
        ]
        request.body = .bytes(RequestBody.lock(owner: locks.owner))
        request.repetition = .never
        var (reply, body) = try await send(request)
        if reply.status == 423, let left = locks.left(on: request.url) {
            await unlock(path, left)
            (reply, body) = try await send(request)
        }
        var holder: LockDescription?
        if reply.status == 423 {
            holder = try await self.holder(of: path)
            // A lock of ours whose token did not reach us.
            if let found = holder, found.owner == locks.owner, let token = found.token, !locks.holds(request.url) {
                await unlock(path, token)
                (reply, body) = try await send(request)
            }
        }
        // 403: some servers do not support locks for some files and report it only here. 500: lighttpd without storage
        // for locks.
        if [403, 405, 500, 501].contains(reply.status) {
            return nil
        }
        if reply.status == 423 { throw locked(path, by: holder, reply) }
        guard reply.isSuccess else { throw error(reply, cannot: "change \"\(path.displayed)\"") }
        // On some servers, a lock on a missing document makes an empty one. Its version is unknown to every client, so
        // the caller's comparison refuses it. It is not removed, because it could belong to another client.
        if let token = LockToken.read(header: reply["lock-token"], body: body) {
            locks.add(token, on: request.url)
            return token
        }
        // Without its token the lock cannot be ended. No more locks are requested from this server.
        lockTraits.isUnusable = true
        let seconds = LockDescription.all(in: body).first?.seconds ?? LockDescription.seconds(reply["timeout"]) ?? 30
        throw FileProviderError(
            .busy,
            "The server locked \"\(path.displayed)\" but sent no lock token, so the lock remains until it ends by "
                + "itself in \(Int(seconds)) seconds. This server will not be asked for locks any more.",
            retryAfter: seconds)
    }

    private func send(_ request: HTTPRequest) async throws -> (HTTPReply, [UInt8]) {
        let sink = MemorySink(limit: 1 << 20)
        let reply = try await client.perform(request, into: sink)
        return (reply, sink.bytes)
    }

    /// The lock on a document; nil if the server does not report it.
    private func holder(of path: RemotePath) async throws -> LockDescription? {
        var request = HTTPRequest("PROPFIND", address.url(of: path))
        request.headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.locks)
        let (reply, body) = try await send(request)
        return reply.status == 207 ? LockDescription.all(in: body).first : nil
    }

    private func locked(
        _ path: RemotePath, by holder: LockDescription?, _ reply: HTTPReply? = nil
    ) -> FileProviderError {
        let details = reply.map {
            [ErrorDetail(domain: "HTTP", code: $0.status, text: "The server answered \($0.status).")]
        }
        let given = HTTPFailure.retryAfter(reply?["retry-after"], now: 0)
        let end = holder?.seconds.map { " The lock ends in \(Int($0)) seconds." } ?? ""
        let name = holder?.owner.map { owner in
            owner == locks.owner ? "an earlier attempt to save it from here, which lost its lock" : "\"\(owner)\""
        }
        return FileProviderError(
            .busy, "\"\(path.displayed)\" is locked on the server by \(name ?? "another program").\(end)",
            underlying: details ?? [], retryAfter: given ?? holder?.seconds.map { min($0, 60) })
    }

    /// Ends a lock that an earlier attempt of ours left there.
    func endLock(leftOn path: RemotePath) async {
        if let left = locks.left(on: address.url(of: path)) { await unlock(path, left) }
    }

    private func unlock(_ path: RemotePath, _ token: String) async {
        var request = HTTPRequest("UNLOCK", address.url(of: path))
        request.headers = [("Lock-Token", token)]
        request.repetition = .never
        let sent = request
        // Sent even when the task was cancelled. A failure is harmless, because the lock expires.
        let reply = await Task { [client] in try? await client.perform(sent) }.value
        locks.remove(sent.url, isEnded: reply != nil)
    }
}
