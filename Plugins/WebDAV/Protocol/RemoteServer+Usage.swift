import FileProvider
import HTTPTransport

extension RemoteServer {
    /// The space of the root. A server without quotas says nothing.
    func usage() async throws -> StorageUsage {
        // A server may have redirected the root, which is known afterwards.
        _ = try await traits()
        var request = HTTPRequest("PROPFIND", address.url(of: .root, isFolder: true))
        request.headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.quota)
        let sink = QuotaSink()
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 207 else { throw error(reply, cannot: "look at the space of the root") }
        return try sink.finish()
    }
}
