import FileProvider
import HTTPTransport

extension RemoteServer {
    /// Runs the body while nobody else can write at a place, where the server can see to that; its token is given to the
    /// body. The lock ends with the body; after a crash when we want it again, or by itself in half a minute.
    ///
    /// - Throws: `FileProviderError`: busy while somebody else has a lock; what the body throws.
    func withLock<Value: Sendable>(
        on path: RemotePath, _ body: (_ token: String?) async throws -> Value
    ) async throws -> Value {
        guard try await traits().hasLocks, !lockTraits.isUnusable, let token = try await lock(path) else {
            return try await body(nil)
        }
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
        // A lock on nothing makes an empty document on some servers. It has no version that anybody knows, so the caller's
        // comparison refuses it; it is not removed, because nobody can be sure whose it is.
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

    private func locked(_ path: RemotePath, by holder: LockDescription?, _ reply: HTTPReply) -> FileProviderError {
        let details = [ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")]
        let given = HTTPFailure.retryAfter(reply["retry-after"], now: 0)
        let end = holder?.seconds.map { " The lock ends in \(Int($0)) seconds." } ?? ""
        let name = holder?.owner.map { owner in
            owner == locks.owner ? "an earlier attempt to save it from here, which lost its lock" : "“\(owner)”"
        }
        return FileProviderError(
            .busy, "“\(path.displayed)” is locked on the server by \(name ?? "another program").\(end)",
            underlying: details, retryAfter: given ?? holder?.seconds.map { min($0, 60) })
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
