import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

extension IsolationTests {
    struct Grant: Decodable { var client: String }

    /// A row of the audit log in the database.
    struct AuditLine: Decodable {
        var event: String
        var kind: String
        var client: String
        var item: String
        var count: Int
    }

    static func location(_ path: String) -> DocumentLocation { DocumentLocation(provider: "LocalFolder", path: path) }

    static func picker(_ client: DocumentsClient) -> DocumentPicker { DocumentPicker(client: client) }

    static func grants(_ installation: Installation) async throws -> [Grant] {
        try await installation.docent("grants", "--json").succeeded().json([Grant].self)
    }

    /// The kind of failure, nil if there was none.
    static func failure(_ body: () async throws -> Void) async -> DocumentsError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return ((error as? DocumentsError) ?? DocumentsError(Failure.from(error))).code
        }
    }

    /// Reads everything from the start, and closes.
    static func text(_ descriptor: CInt) -> String {
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// A socket for one confined client while the body runs.
    static func withSocket(
        _ installation: Installation, _ identifier: String, _ body: (String) async throws -> Void
    ) async throws {
        let administrator = installation.client()
        defer { administrator.close() }
        let replies = try administrator.stream(AdministrationInterface.ListenForClient.self, .init(client: identifier))
        for try await reply in replies {
            let path = reply.value.path
            try await body(path)
            return
        }
        throw Problem("No socket was made.")
    }

    /// A client behind such a socket, which states another identifier.
    static func withConfinedClient(
        _ installation: Installation, _ identifier: String, _ body: (DocumentsClient) async throws -> Void
    ) async throws {
        try await withSocket(installation, identifier) { path in
            var configuration = DocumentsClient.Configuration(clientIdentifier: "org.example.stated")
            configuration.environment = installation.environment.merging(["DOCENT_SOCKET": path]) { _, new in new }
            let client = DocumentsClient(configuration)
            defer { client.close() }
            try await body(client)
        }
    }

    /// The audit log.
    static func audit(_ installation: Installation) async throws -> [AuditLine] {
        let program = """
            import json, sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute("SELECT event, principal_kind, principal_id, item, count FROM audit")
            print(json.dumps([dict(zip(("event", "kind", "client", "item", "count"), row)) for row in rows]))
            """
        return try await installation.run(
            "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"]
        )
        .succeeded().json([AuditLine].self)
    }
}
