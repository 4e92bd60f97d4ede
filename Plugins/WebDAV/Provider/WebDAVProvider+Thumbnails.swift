package import FileProvider
import HTTPTransport

// Nextcloud makes previews of its files, by their numbers.
extension WebDAVProvider {
    private static var noPreview: FileProviderError {
        FileProviderError(.notSupported, "The server has no preview of this document; only a Nextcloud has previews.")
    }

    /// The server's preview of a document.
    package func thumbnail(
        of identifier: ItemIdentifier, version: ItemVersion?, size: Int
    ) async throws -> ItemThumbnail {
        guard let number = IdentityMap.number(of: identifier), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let nextcloud = try await server.traits().nextcloud
        else { throw Self.noPreview }
        let names = ["index.php", "core", "preview"].compactMap { LocalName($0) }
        let address = nextcloud.server.url(of: RemotePath(names))
        // a: keeps the proportions. Without forceIcon=0 the server sends an icon of the type instead of nothing.
        var request = HTTPRequest("GET", "\(address)?fileId=\(number)&x=\(size)&y=\(size)&a=1&forceIcon=0")
        request.headers = [("Accept", "image/png, image/jpeg")]
        let sink = MemorySink(limit: ItemThumbnail.maximumLength)
        let reply = try await server.client.perform(request, into: sink)
        guard reply.isSuccess else {
            // 400: the address is not what this server expects. 403: previews, or those of this file, are turned off.
            guard [400, 403, 404, 405, 410, 501].contains(reply.status) else {
                throw server.error(reply, cannot: "get a preview")
            }
            throw Self.noPreview
        }
        let bytes = sink.bytes
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw Self.noPreview
        }
        // The reply does not say of which version it is. If the document has not changed since the host's version, the
        // preview is of that; the host refuses it otherwise.
        return ItemThumbnail(data: bytes, version: try await item(for: identifier).version)
    }
}
