import DocentTestSupport
import Documents
import Foundation
import Testing

/// Helpers of the bookmark tests.
enum BookmarkSupport {
    typealias Isolation = IsolationTests

    /// The answer that a client gets for an invalid bookmark; the same for every reason.
    struct Answer: Hashable {
        var code: DocumentsError.Code
        var message: String
        var suggestion: String?
    }

    /// The error of resolving a bookmark; nil if it succeeds.
    static func refusal(
        _ client: DocumentsClient, _ bookmark: String, relativeTo folder: SecurityScopedDocument? = nil
    ) async throws -> Answer? {
        do throws(DocumentsError) {
            _ = try await client.resolve(bookmark: bookmark, relativeTo: folder)
            return nil
        } catch {
            return Answer(code: error.code, message: error.message, suggestion: error.suggestion)
        }
    }

    /// A reason in the audit log, and its count.
    struct Refused: Decodable {
        var client: String
        var detail: String
        var count: Int
    }

    /// The refused bookmarks in the audit log.
    static func refused(_ installation: Installation) async throws -> [Refused] {
        let program = """
            import json, sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute(
                "SELECT principal_id, detail, count FROM audit WHERE event = 'refused' AND detail LIKE 'bookmark:%'")
            print(json.dumps([dict(zip(("client", "detail", "count"), row)) for row in rows]))
            """
        return try await installation.run(
            "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"]
        ).succeeded().json([Refused].self)
    }

    /// Opens a document of LocalFolder.
    static func open(
        _ name: String, _ client: DocumentsClient, access: AccessMode = .readWrite
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client).openDocument(at: Isolation.location("/" + name), access: access)
    }

    /// Opens a folder of LocalFolder.
    static func openFolder(
        _ name: String, _ client: DocumentsClient, access: AccessMode = .readWrite
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: Isolation.location("/" + name), access: access)
    }

    /// The content that a document reads.
    static func text(_ document: SecurityScopedDocument) async throws -> String {
        Isolation.text(try await document.openForReading())
    }
}
