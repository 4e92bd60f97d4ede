import FileProvider
import HTTPTransport

/// An upload in pieces for Nextcloud (chunking version 2): an upload folder, numbered pieces, and a last step that
/// assembles the document. Pieces from an earlier attempt, even of another process, are not sent again.
struct ChunkedUpload: Sendable {
    let server: RemoteServer
    let nextcloud: NextcloudAddress
    let contents: ContentReader
    let target: RemotePath
    let operation: ChangeOperation
    let chunkSize: Int

    /// The size of a piece. Nextcloud accepts at most 10,000 pieces.
    static func size(of total: Int, wanted: Int) -> Int { max(wanted, (total + 9_998) / 9_999) }

    /// - Parameter condition: The condition on the target in the last step.
    /// - Returns: The answer to the last step, or the first one that is not a success.
    func run(condition: (name: String, value: String)?, control: HTTPControl) async throws -> HTTPReply {
        let size = Self.size(of: contents.size, wanted: chunkSize)
        // Different size or content means a different upload, whose pieces must not be mixed with these.
        let digest = operation.digest.map { "-" + $0.prefix(16) } ?? ""
        let transfer =
            "docent-" + SegmentEncoding.encode(operation.identifier.utf8).replacing("%", with: "=").prefix(150) + digest
            + "-\(contents.size)-\(size)"
        let folder = nextcloud.uploadFolder(transfer)
        let destination = ("Destination", server.address.url(of: target))
        let total = ("OC-Total-Length", "\(contents.size)")
        let (listing, present) = try await pieces(folder)
        if listing == 404 {
            var request = HTTPRequest("MKCOL", folder)
            request.headers = [destination]
            request.repetition = .never
            let reply = try await server.client.perform(request)
            // 405: another attempt has made the folder meanwhile.
            guard reply.isSuccess || reply.status == 405 else { return reply }
        }
        var offset = 0
        var number = 1
        while offset < contents.size {
            let count = min(size, contents.size - offset)
            let name = String(String(100_000 + number).dropFirst())
            control.restart(at: offset)
            if present[name] != count {
                var request = HTTPRequest("PUT", folder + "/" + name)
                request.headers = [destination, total, ("Content-Type", "application/octet-stream")]
                request.body = .file(
                    descriptor: contents.descriptor, offset: offset, count: count, owner: contents)
                request.isTransfer = true
                let reply = try await server.client.perform(request, control: control)
                guard reply.isSuccess else { return reply }
            }
            offset += count
            number += 1
        }
        control.restart(at: contents.size)
        var request = HTTPRequest("MOVE", folder + "/.file")
        request.headers = [destination, total, ("Overwrite", condition?.name == "If-None-Match" ? "F" : "T")]
        if let digest = operation.digest { request.headers.append(("OC-Checksum", "SHA256:\(digest)")) }
        if let condition, condition.name == "If-Match" {
            request.headers.append(("If", "<\(destination.1)> ([\(condition.value)])"))
        }
        request.repetition = .never
        request.patience = 600
        return try await server.client.perform(request)
    }

    /// The status, and the sizes of the pieces on the server by name.
    private func pieces(_ folder: String) async throws -> (status: Int, sizes: [String: Int]) {
        let address = try ServerAddress(url: folder)
        var request = HTTPRequest("PROPFIND", folder + "/")
        request.headers = [("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.properties)
        let sink = MultistatusSink(address, in: .root)
        let reply = try await server.client.perform(request, into: sink)
        guard reply.status == 207 else {
            guard reply.status == 404 else { throw server.error(reply, cannot: "look at the upload") }
            return (404, [:])
        }
        var sizes: [String: Int] = [:]
        for entry in try sink.finish() where entry.path.names.count == 1 && !entry.isFolder {
            sizes[entry.path.displayed] = entry.size
        }
        return (207, sizes)
    }
}

extension RemoteServer {
    /// Finds the file with a number on a Nextcloud server; nil if it certainly is no longer below the root.
    func search(number: String, in nextcloud: NextcloudAddress) async throws -> RemoteEntry? {
        let root = address
        var request = HTTPRequest("SEARCH", nextcloud.url([]) + "/")
        request.headers = [("Content-Type", "text/xml; charset=utf-8")]
        request.body = .bytes(
            RequestBody.search(number: number, scope: "/files/" + SegmentEncoding.encode(nextcloud.user.bytes)))
        let sink = MultistatusSink(root, in: .root)
        let reply = try await client.perform(request, into: sink)
        guard reply.status == 207 else { throw error(reply, cannot: "search for the document") }
        return try sink.finish().first { $0.fileIdentifier == number }
    }
}
