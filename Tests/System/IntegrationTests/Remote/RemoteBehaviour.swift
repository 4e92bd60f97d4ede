import DocentTestSupport
import Documents
import Foundation
import Glibc

/// The output of `docent --json` about remote documents, as far as the tests use it.
enum RemoteBehaviour {
    struct Item: Decodable, Equatable {
        var identifier: String
        var name: String
        var size: Int?
        var isFolder: Bool
        var isDownloaded: Bool
        var isUploaded: Bool
        var uploadState: String
        var uploadError: String?
        var isPinned: Bool
        var isStale: Bool
        var conflicts: Int
        var version: String?
    }

    struct Transfer: Decodable, Equatable {
        var identifier: String
        var kind: String
        var state: String
        var priority: String
        var name: String
        var completedBytes: Int
        var totalBytes: Int?
        var attempts: Int
        var waiters: Int
        var message: String?
    }

    struct Version: Decodable, Equatable {
        var identifier: String
        var name: String
        var reason: String
        var size: Int
    }

    struct Domain: Decodable, Equatable {
        var provider: String
        var identifier: String
        var displayName: String
        var url: String?
        var state: String?
        var message: String?
        var pending: Int
        var failed: Int
        var localBytes: Int?
        var credential: String?
    }
}

extension RemoteInstallation {
    /// The proxy, if there is one.
    func faults() throws -> FaultProxy {
        guard let proxy else { throw Problem("this installation has no proxy") }
        return proxy
    }

    func info(_ path: String) async throws -> RemoteBehaviour.Item {
        try await docent("info", "--json", location(path)).succeeded().json(RemoteBehaviour.Item.self)
    }

    /// The names in a folder, as listed by `docent ls`.
    func names(_ path: String = "") async throws -> [String] {
        try await docent("ls", location(path)).succeeded().text.split(separator: "\n").map(String.init)
    }

    /// `remembered` in the output of `docent info --json`, or of the first item in that of `docent ls --json`.
    static func remembered(_ outcome: Outcome) throws -> [String: Any]? {
        let value = try JSONSerialization.jsonObject(with: outcome.output)
        let item = (value as? [String: Any]) ?? (value as? [[String: Any]])?.first
        return item?["remembered"] as? [String: Any]
    }

    func transfers() async throws -> [RemoteBehaviour.Transfer] {
        try await docent("transfers", "--json").succeeded().json([RemoteBehaviour.Transfer].self)
    }

    /// The transfer of a document; nil if there is none.
    func transfer(_ name: String) async throws -> RemoteBehaviour.Transfer? {
        try await transfers().first { $0.name == name }
    }

    func versions(_ path: String? = nil) async throws -> [RemoteBehaviour.Version] {
        try await docent(["versions", "list", "--json"] + (path.map { [location($0)] } ?? [])).succeeded()
            .json([RemoteBehaviour.Version].self)
    }

    func domain(_ name: String = RemoteInstallation.domain) async throws -> RemoteBehaviour.Domain? {
        try await docent("domains", "--json").succeeded().json([RemoteBehaviour.Domain].self)
            .first { $0.identifier == name && $0.provider == Self.provider }
    }

    /// Waits for a condition, long enough for a loaded machine.
    func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
        try await installation.eventually(what, within: 90, condition)
    }

    /// The number of requests for a document's content so far.
    func downloads(_ name: String) async throws -> [FaultProxy.Request] {
        try await faults().requests("GET").filter { $0.path.hasSuffix("/" + TestServers.escaped(name)) }
    }

    /// The paths of a document's local copy and of its placeholder, below the folder of copies.
    func localFiles(_ name: String) -> [String] {
        let root = installation.data + "/Copies"
        return (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix("/" + name) }.map { "\(root)/\($0)" }
    }

    /// The name of a document's placeholder.
    static func placeholder(_ name: String) -> String { ".\(name).docent-placeholder" }

    /// A document of this domain, granted to a client of this process.
    func open(_ path: String, client: DocumentsClient) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client).openDocument(
            at: DocumentLocation(provider: Self.provider, domain: Self.domain, path: "/" + path))
    }

    /// The content that a client currently reads from a document.
    static func text(_ document: SecurityScopedDocument) async throws -> String {
        let descriptor = try await document.openForReading()
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Replaces a document's content as a client.
    static func save(_ text: String, _ document: SecurityScopedDocument) async throws {
        let session = try await document.beginWriting(replacing: true)
        try writeAll(text, to: session.descriptor)
        try await session.commit()
    }
}
