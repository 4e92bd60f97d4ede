import FileProvider
import HTTPTransport

extension RemoteServer {
    /// Runs the body while nobody else can write at a place, where the server can see to that; its token is given to
    /// the body. The lock ends with the body; after a crash when we want it again, or by itself in half a minute.
    ///
    /// - Throws: `FileProviderError`: busy while somebody else has a lock; what the body throws.
    func withLock<Value: Sendable>(
        on path: RemotePath, _ body: (_ token: String?) async throws -> Value
    ) async throws -> Value {
        // A lock that keeps nobody out does harm: copyparty makes an empty document of a name that is free for the
        // moment in which another client replaces the document.
        let traits = try await traits()
        guard traits.hasLocks, !lockTraits.isUnusable, lockTraits.isKept != false, let token = try await lock(path)
        else { return try await body(nil) }
        do {
            let value = try await body(token)
            await unlock(path, token)
            return value
        } catch {
            await unlock(path, token)
            throw error
        }
    }

    /// Describes a resource on which we have been given a lock, or nil if there is none for certain.
    ///
    /// Tomcat gives a lock to each of two clients that ask at the same moment, and knows only the later one afterwards.
    /// So the look also shows whether the lock is ours.
    ///
    /// - Throws: `FileProviderError` busy when another client holds the lock.
    func optional(_ path: RemotePath, lockedBy token: String?) async throws -> RemoteEntry? {
        guard let token else { return try await optional(path) }
        let answer = MemorySink(limit: 1 << 20)
        let entry = try await optional(path, copy: answer)
        let locks = LockDescription.all(in: answer.bytes)
        // A token may be written in another way here than in the answer to LOCK; the owner is what we wrote.
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
        request.isRepeatable = false
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
        // 403: some servers have no locks for some files and say so only here. 500: lighttpd without a place for them.
        if [403, 405, 500, 501].contains(reply.status) {
            return nil
        }
        if reply.status == 423 { throw locked(path, by: holder, reply) }
        guard reply.isSuccess else { throw error(reply, cannot: "change “\(path.displayed)”") }
        // A lock on nothing makes an empty document on some servers. It has no version that anybody knows, so the
        // caller's comparison refuses it; it is not removed, because nobody can be sure whose it is.
        if let token = LockToken.read(header: reply["lock-token"], body: body) {
            locks.add(token, on: request.url)
            return token
        }
        // Nobody can end it now. It is asked for no other.
        lockTraits.isUnusable = true
        let seconds = LockDescription.all(in: body).first?.seconds ?? LockDescription.seconds(reply["timeout"]) ?? 30
        throw FileProviderError(
            .busy,
            "The server locked “\(path.displayed)” and did not say by which token, so that the lock has to end by itself in "
                + "\(Int(seconds)) seconds. No locks are asked of this server any more.", retryAfter: seconds)
    }

    private func send(_ request: HTTPRequest) async throws -> (HTTPReply, [UInt8]) {
        let sink = MemorySink(limit: 1 << 20)
        let reply = try await client.perform(request, into: sink)
        return (reply, sink.bytes)
    }

    /// The owner of the lock on a document; nil where the server does not say.
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
            owner == locks.owner ? "an earlier attempt to save it from here, which lost its lock" : "“\(owner)”"
        }
        return FileProviderError(
            .busy, "“\(path.displayed)” is locked on the server by \(name ?? "another program").\(end)",
            underlying: details ?? [], retryAfter: given ?? holder?.seconds.map { min($0, 60) })
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
}
