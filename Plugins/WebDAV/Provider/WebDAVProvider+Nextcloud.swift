import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Stores content on a server that replaces atomically and obeys conditions. Large content is sent in pieces.
    func putDirectly(
        _ contents: ContentReader, at path: RemotePath, condition: (name: String, value: String)?,
        _ operation: ChangeOperation, _ progress: TransferProgress
    ) async throws -> HTTPReply {
        let control = HTTPControl()
        let nextcloud = try await server.traits().nextcloud
        return try await following(control, progress, total: contents.size) { [server, chunkSize] in
            if let nextcloud, nextcloud.takesChunks, contents.size > chunkSize {
                return try await ChunkedUpload(
                    server: server, nextcloud: nextcloud, contents: contents, target: path, operation: operation,
                    chunkSize: chunkSize
                ).run(condition: condition, control: control)
            }
            var headers = condition.map { [$0] } ?? []
            if let digest = operation.digest { headers.append(("OC-Checksum", "SHA256:\(digest)")) }
            return try await server.put(contents, at: path, headers: headers, repetition: .never, control: control)
        }
    }
}
