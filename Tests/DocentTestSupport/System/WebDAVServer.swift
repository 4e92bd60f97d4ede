package import Foundation
import Glibc
import Testing

/// A real WebDAV server for one test, from the scripts in Tests/Servers; their README describes what each can do.
///
/// Its own methods access the server directly with curl, bypassing Docent and any proxy.
package final class WebDAVServer: Sendable {
    package enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case apache, rclone, seaweedfs

        package var testDescription: String { rawValue }
        /// Whether documents are stored as files in ``WebDAVServer/folder``.
        package var keepsFiles: Bool { self != .seaweedfs }
        /// Whether PUT supports If-Match and If-None-Match, and an interrupted PUT leaves the old content.
        package var isCareful: Bool { self == .apache }
        package var knowsUsers: Bool { self != .seaweedfs }
    }

    /// The options of a server.
    package struct Options: Sendable {
        package var username: String?
        package var password = "hush-server51c8e7"
        /// `basic` or `digest`; digest only with Apache.
        package var authentication = "basic"
        package var usesTLS = false
        /// Whether replies contain digests of the content (Content-MD5); only with Apache.
        package var tellsDigests = false
        /// The identity server whose tokens are accepted; only with Apache.
        package var identity: String?

        package init(
            username: String? = nil, password: String = "hush-server51c8e7", authentication: String = "basic",
            usesTLS: Bool = false, tellsDigests: Bool = false, identity: String? = nil
        ) {
            self.username = username
            self.password = password
            self.authentication = authentication
            self.usesTLS = usesTLS
            self.tellsDigests = tellsDigests
            self.identity = identity
        }
    }

    /// A reply of the server.
    package struct Reply: Sendable {
        package var status: Int
        /// By lower-case name.
        package var headers: [String: String]
        package var body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let kind: Kind
    package let options: Options
    package let directory: String
    /// The root collection, with a trailing slash; it does not change when the server restarts.
    package let url: String
    /// A PEM file with the authority that signed the server's certificate.
    package let certificateAuthority: String?

    /// The folder with the documents' files, if the kind stores them as files.
    package var folder: String { directory + "/data" }

    private init(_ kind: Kind, _ options: Options, directory: String) async throws {
        self.kind = kind
        self.options = options
        self.directory = directory
        let lines = try await Self.start(kind, options, directory, port: nil)
        guard let url = lines["url"] else { throw Problem("\(kind) printed no address: \(lines)") }
        self.url = url
        certificateAuthority = lines["ca"]
    }

    /// Runs `body` with a new server, which is ended and removed afterwards.
    package static func with<Result>(
        _ kind: Kind, options: Options = Options(), _ body: (WebDAVServer) async throws -> Result
    ) async throws -> Result {
        Admission.expect(.server)
        let directory = "/tmp/docent-dav-\(UUID().uuidString.prefix(8))"
        do {
            let server = try await WebDAVServer(kind, options, directory: directory)
            let result = try await body(server)
            await remove(kind, directory)
            return result
        } catch {
            await remove(kind, directory)
            throw error
        }
    }

    private static func remove(_ kind: Kind, _ directory: String) async {
        _ = try? await script(kind, ["kill", directory])
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: The process

    /// Stops the server cleanly.
    package func stop() async throws { try await Self.script(kind, ["stop", directory]) }

    /// Kills the server.
    package func kill() async throws { try await Self.script(kind, ["kill", directory]) }

    /// Starts the server again after ``stop()`` or ``kill()``, at the same address and with the same documents.
    package func restart() async throws {
        guard let port = URL(string: url)?.port else { throw Problem("no port in \(url)") }
        _ = try await Self.start(kind, options, directory, port: port)
    }

    private static func start(
        _ kind: Kind, _ options: Options, _ directory: String, port: Int?
    ) async throws -> [String: String] {
        var arguments = ["start", directory, "--parent", "\(getpid())"]
        if let name = options.username {
            arguments += ["--user", name, "--password", options.password, "--auth", options.authentication]
        }
        if let identity = options.identity { arguments += ["--auth", "oauth", "--identity", identity] }
        if options.usesTLS { arguments.append("--tls") }
        if options.tellsDigests { arguments.append("--digests") }
        if let port { arguments += ["--port", "\(port)"] }
        return TestServers.fields(try await script(kind, arguments).text)
    }

    @discardableResult
    private static func script(_ kind: Kind, _ arguments: [String]) async throws -> Outcome {
        try await TestServers.run(TestServers.folder + "/\(kind.rawValue).sh", arguments).succeeded()
    }

    // MARK: Documents

    /// Sends a request directly to the server. `path` is below the root and not escaped.
    package func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws -> Reply {
        var arguments = ["--request", method]
        if method == "HEAD" { arguments = ["--head"] }
        for (name, value) in headers { arguments += ["--header", "\(name): \(value)"] }
        if let name = options.username { arguments += ["--anyauth", "--user", "\(name):\(options.password)"] }
        if let certificateAuthority { arguments += ["--cacert", certificateAuthority] }
        return try await TestServers.curl(arguments, address(path), body: body)
    }

    /// The address of a document.
    package func address(_ path: String) -> String { url + TestServers.escaped(path) }

    /// Stores a document, as another program would.
    package func put(_ text: String, _ path: String) async throws { try await put(Data(text.utf8), path) }

    package func put(_ content: Data, _ path: String) async throws {
        try expect(await request("PUT", path, body: content), 200...299, "PUT \(path)")
    }

    /// A document's content; nil when it does not exist.
    package func get(_ path: String) async throws -> Data? {
        let reply = try await request("GET", path)
        if reply.status == 404 { return nil }
        try expect(reply, 200...200, "GET \(path)")
        return reply.body
    }

    package func text(_ path: String) async throws -> String? {
        try await get(path).map { String(decoding: $0, as: UTF8.self) }
    }

    package func delete(_ path: String) async throws {
        try expect(await request("DELETE", path), 200...299, "DELETE \(path)")
    }

    package func makeFolder(_ path: String) async throws {
        try expect(await request("MKCOL", path), 200...299, "MKCOL \(path)")
    }

    package func move(_ path: String, to target: String) async throws {
        try expect(
            await request("MOVE", path, headers: ["Destination": address(target)]), 200...299, "MOVE \(path)")
    }

    /// The names in a folder, sorted, including Docent's temporary files.
    package func list(_ path: String = "") async throws -> [String] {
        let folder = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
        let reply = try await request("PROPFIND", folder, headers: ["Depth": "1"])
        try expect(reply, 207...207, "PROPFIND \(path)")
        let addresses = reply.text.components(separatedBy: "href>").enumerated().filter { $0.offset % 2 == 1 }
            .compactMap { $0.element.components(separatedBy: "</").first }
        return addresses.compactMap { address in
            // The description of a locked document also contains its lock.
            if address.hasPrefix("opaquelocktoken:") { return nil }
            let plain = address.replacingOccurrences(of: "&amp;", with: "&").removingPercentEncoding ?? address
            let name = plain.split(separator: "/").last.map(String.init) ?? ""
            return plain.trimmed == ("/" + folder).trimmed ? nil : name
        }.sorted()
    }

    private func expect(_ reply: Reply, _ statuses: ClosedRange<Int>, _ what: String) throws {
        guard statuses.contains(reply.status) else {
            throw Problem("\(what) on \(kind): status \(reply.status) \(reply.text.prefix(500))")
        }
    }
}

extension String {
    /// Without leading and trailing slashes.
    fileprivate var trimmed: String { trimmingCharacters(in: CharacterSet(charactersIn: "/")) }
}
