import FileProvider
import HTTPTransport

/// The trash bin of a Nextcloud: whatever a DELETE removes from the user's files.
struct TrashBin: Sendable {
    /// Something in the bin.
    struct Entry: Hashable, Sendable {
        /// Its name in the bin, which no other entry has.
        var identifier: LocalName
        var filename: String
        /// Where it was, below the root of the domain.
        var path: RemotePath
        /// Its file number, which it keeps.
        var number: String?
        /// In seconds since 1970.
        var deleted: Double?
        var size: Int?
        var isFolder: Bool
    }

    let server: RemoteServer
    let nextcloud: NextcloudAddress

    private func url(_ names: [LocalName]) -> String {
        let top = ["remote.php", "dav", "trashbin"].compactMap { LocalName($0) } + [nextcloud.user]
        return nextcloud.server.url(of: RemotePath(top + names))
    }

    private func names(_ folder: String, _ name: LocalName? = nil) -> [LocalName] {
        ([LocalName(folder), name]).compactMap { $0 }
    }

    /// Whether the server has it: an administrator may have turned it off.
    func isThere() async throws -> Bool {
        let reply = try await list(depth: "0", into: ResponseSink("the trash bin"))
        guard reply.status != 207 else { return true }
        guard [403, 404, 405, 410, 501].contains(reply.status) else {
            throw server.error(reply, cannot: "look at the trash bin")
        }
        return false
    }

    /// The items in the bin that were below the root of the domain, newest first.
    func entries() async throws -> [Entry] {
        let sink = ResponseSink("the trash bin")
        let reply = try await list(depth: "1", into: sink)
        guard reply.status == 207 else { throw server.error(reply, cannot: "list the trash bin") }
        let root = server.address
        return try sink.finish().compactMap { Entry($0, nextcloud, root) }
            .sorted { ($0.deleted ?? 0, $1.filename) > ($1.deleted ?? 0, $0.filename) }
    }

    private func list(depth: String, into sink: ResponseSink) async throws -> HTTPReply {
        var request = HTTPRequest("PROPFIND", url(names("trash")) + "/")
        request.headers = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.trash)
        return try await server.client.perform(request, into: sink)
    }

    /// Puts an entry back where it was. If something else is there, the server chooses another name; if its folder does
    /// not exist any more, the top of the user's files.
    func restore(_ entry: Entry) async throws {
        var request = HTTPRequest("MOVE", url(names("trash", entry.identifier)))
        request.headers = [("Destination", url(names("restore", entry.identifier)))]
        request.repetition = .never
        request.patience = 600
        let reply = try await server.client.perform(request)
        guard reply.isSuccess else { throw failure(reply, entry, "restore") }
    }

    /// Deletes an entry for good.
    func delete(_ entry: Entry) async throws {
        var request = HTTPRequest("DELETE", url(names("trash", entry.identifier)))
        request.repetition = .never
        request.patience = 600
        let reply = try await server.client.perform(request)
        guard reply.isSuccess else { throw failure(reply, entry, "delete") }
    }

    private func failure(_ reply: HTTPReply, _ entry: Entry, _ what: String) -> FileProviderError {
        guard [404, 410].contains(reply.status) else {
            return server.error(reply, cannot: "\(what) \"\(entry.filename)\" in the trash bin")
        }
        return FileProviderError(.noSuchItem, "\"\(entry.filename)\" is not in the trash bin any more.")
    }
}

extension TrashBin.Entry {
    /// An entry in an answer; nil for the bin itself and for what was not below the root.
    init?(_ response: MultistatusParser.Response, _ nextcloud: NextcloudAddress, _ root: ServerAddress) {
        let properties = response.properties
        let text = response.href.trimmed.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = text.split(separator: UInt8(ascii: "/")).last
        guard (200...299).contains(response.status ?? 200), let from = properties[.trashedFrom],
            let identifier = last.flatMap({ LocalName(bytes: SegmentEncoding.decode($0)) })
        else { return nil }
        let parts = from.utf8.split(separator: UInt8(ascii: "/"))
        let names = parts.compactMap { LocalName(bytes: $0) }
        guard names.count == parts.count, let path = nextcloud.path(ofFile: names, below: root), let name = path.name
        else { return nil }
        self.identifier = identifier
        self.path = path
        filename = properties[.trashedName].flatMap { LocalName($0) }?.displayed ?? name.displayed
        isFolder = properties[.isFolder] != nil
        number = properties[.fileIdentifier].flatMap { text in
            !text.isEmpty && text.utf8.count <= 40 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
        }
        deleted = properties[.trashedTime].flatMap { Double($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        size = isFolder ? nil : properties[.size].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
