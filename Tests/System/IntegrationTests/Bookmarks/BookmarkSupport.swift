import DocentTestSupport
import Documents
import Foundation
import Testing

/// What the tests of bookmarks share.
enum BookmarkSupport {
    typealias Isolation = IsolationTests

    /// What a client is told of a bookmark that is of no use; the same for every reason.
    struct Answer: Hashable {
        var code: DocumentsError.Code
        var message: String
        var suggestion: String?
    }

    /// The refusal of a bookmark; nil when it leads to something.
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

    /// A reason in the audit, and how often.
    struct Refused: Decodable {
        var client: String
        var detail: String
        var count: Int
    }

    /// The refusals of bookmarks.
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

    /// A document of LocalFolder, opened.
    static func open(
        _ name: String, _ client: DocumentsClient, access: AccessMode = .readWrite
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client).openDocument(at: Isolation.location("/" + name), access: access)
    }

    /// A folder of LocalFolder, opened.
    static func openFolder(
        _ name: String, _ client: DocumentsClient, access: AccessMode = .readWrite
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: Isolation.location("/" + name), access: access)
    }

    /// What a document reads.
    static func text(_ document: SecurityScopedDocument) async throws -> String {
        Isolation.text(try await document.openForReading())
    }
}
