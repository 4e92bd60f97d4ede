import FileProvider
import HTTPTransport

/// The versions that a Nextcloud keeps of a document.
struct DocumentHistory: Sendable {
    /// A version.
    struct Version: Hashable, Sendable {
        /// Its name among the versions: the second in which it was saved.
        var identifier: LocalName
        /// In seconds since 1970.
        var saved: Double?
        var size: Int?
        /// The user who saved it; only newer servers say.
        var author: String?
    }

    let server: RemoteServer
    let nextcloud: NextcloudAddress
    /// The file number, in digits.
    let number: String

    private func url(_ names: [String], _ last: LocalName? = nil) -> String {
        let top = ["remote.php", "dav", "versions"].compactMap { LocalName($0) } + [nextcloud.user]
        return nextcloud.server.url(of: RemotePath(top + names.compactMap { LocalName($0) } + [last].compactMap { $0 }))
    }

    /// All versions; newer servers list the current one too.
    ///
    /// - Throws: `notSupported` if there are none for this document, for instance because an administrator has turned
    ///   them off.
    func versions() async throws -> [Version] {
        var request = HTTPRequest("PROPFIND", url(["versions", number]) + "/")
        request.headers = [("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.versions)
        let sink = ResponseSink("the versions of a document")
        let reply = try await server.client.perform(request, into: sink)
        guard ![403, 404, 405, 410, 501].contains(reply.status) else { throw Self.noHistory }
        guard reply.status == 207 else { throw server.error(reply, cannot: "list the versions") }
        return try sink.finish().compactMap(Version.init)
    }

    static var noHistory: FileProviderError {
        FileProviderError(.notSupported, "The server keeps no versions of this document; only a Nextcloud does.")
    }

    /// Receives the content of a version.
    func fetch(_ version: LocalName, into sink: DownloadSink, control: HTTPControl) async throws {
        var request = HTTPRequest("GET", url(["versions", number], version))
        request.headers = [("Accept-Encoding", "identity")]
        request.isTransfer = true
        let reply = try await server.client.perform(request, into: sink, control: control)
        guard reply.status == 200 else { throw failure(reply, "read") }
    }

    /// Makes a version the current one. The server keeps the replaced content as a version.
    func restore(_ version: LocalName) async throws {
        var request = HTTPRequest("MOVE", url(["versions", number], version))
        request.headers = [("Destination", url(["restore", "target"]))]
        request.repetition = .never
        request.patience = 600
        let reply = try await server.client.perform(request)
        guard reply.isSuccess else { throw failure(reply, "restore") }
    }

    private func failure(_ reply: HTTPReply, _ what: String) -> FileProviderError {
        guard [404, 410].contains(reply.status) else {
            return server.error(reply, cannot: "\(what) the version")
        }
        return FileProviderError(.noSuchItem, "The server does not have this version any more.")
    }
}

extension DocumentHistory.Version {
    /// A version in an answer; nil for the list itself.
    init?(_ response: MultistatusParser.Response) {
        let properties = response.properties
        let text = response.href.trimmed.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = text.split(separator: UInt8(ascii: "/")).last
        guard (200...299).contains(response.status ?? 200), properties[.isFolder] == nil,
            let identifier = last.flatMap({ LocalName(bytes: SegmentEncoding.decode($0)) })
        else { return nil }
        self.identifier = identifier
        saved = properties[.modified].flatMap(HTTPDate.secondsISO)
        size = properties[.size].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        author = properties[.versionAuthor].flatMap { $0.isEmpty ? nil : $0 }
    }
}
