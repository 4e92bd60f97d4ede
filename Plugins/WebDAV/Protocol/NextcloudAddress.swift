import FileProvider
import FoundationEssentials
import HTTPTransport

/// The addresses of a Nextcloud server whose files are the root: `…/remote.php/dav/files/USER/…`.
struct NextcloudAddress: Sendable, Equatable {
    private static let marker = ["remote.php", "dav", "files"]

    /// The address that contains `remote.php`.
    let server: ServerAddress
    let user: LocalName
    /// Whether the server accepts uploads in chunks (chunking version 2).
    var takesChunks = false

    /// - Returns: nil if the root is no such address.
    init?(_ address: ServerAddress) {
        let names = address.base.map(\.displayed)
        guard names.count > 3,
            let index = (0...(names.count - 4)).first(where: { Array(names[$0..<$0 + 3]) == Self.marker })
        else { return nil }
        server = ServerAddress(origin: address.origin, base: Array(address.base[..<index]))
        user = address.base[index + 3]
    }

    /// An address below `remote.php/dav`.
    func url(_ names: [String]) -> String {
        server.url(of: RemotePath((["remote.php", "dav"] + names).compactMap { LocalName($0) }))
    }

    /// The folder of an upload in chunks.
    func uploadFolder(_ transfer: String) -> String {
        url(["uploads", user.displayed, transfer])
    }

    /// The names from the root of the domain to a place in the user's files; nil if it is not below the root.
    ///
    /// - Parameter root: The address of the root.
    func path(ofFile names: [LocalName], below root: ServerAddress) -> RemotePath? {
        let inner = root.base.dropFirst(server.base.count + Self.marker.count + 1)
        guard names.count > inner.count, names.starts(with: inner) else { return nil }
        return RemotePath(Array(names.dropFirst(inner.count)))
    }

    /// Whether the root of the domain has all files of the user.
    func isWhole(_ root: ServerAddress) -> Bool { root.base.count == server.base.count + Self.marker.count + 1 }

    private struct Capabilities: Decodable {
        struct Document: Decodable {
            struct Content: Decodable {
                struct Kinds: Decodable {
                    struct Files: Decodable { var chunking: String? }
                    var dav: Files?
                }
                var capabilities: Kinds
            }
            var data: Content
        }
        var ocs: Document
    }

    /// Asks for the server's capabilities. A server that does not answer is assumed to have none.
    func withChunks(_ client: HTTPClient) async throws -> NextcloudAddress {
        let names = ["ocs", "v2.php", "cloud", "capabilities"].compactMap { LocalName($0) }
        let base = server.url(of: RemotePath(names))
        var request = HTTPRequest("GET", base + "?format=json")
        request.headers = [("OCS-APIRequest", "true"), ("Accept", "application/json")]
        let sink = MemorySink(limit: 1 << 20)
        let reply = try await client.perform(request, into: sink)
        var result = self
        if reply.isSuccess,
            let answer = try? JSONDecoder().decode(Capabilities.self, from: Data(sink.bytes)),
            let version = answer.ocs.data.capabilities.dav?.chunking
        {
            result.takesChunks = version.hasPrefix("1.") || version.hasPrefix("2.")
        }
        return result
    }
}
