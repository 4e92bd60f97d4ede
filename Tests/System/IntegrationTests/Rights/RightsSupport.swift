import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// Helpers of the tests of rights.
enum Rights {
    /// A right in the output of `docent grants --json`.
    struct Grant: Decodable, Equatable {
        var client: String
        var identifier: String
        var access: String
        var isTaken: Bool?
    }

    static func location(_ path: String) -> DocumentLocation { DocumentLocation(provider: "LocalFolder", path: path) }

    /// Opens a folder for a client.
    static func folder(
        _ client: DocumentsClient, _ path: String, access: AccessMode = .readWrite
    ) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: location(path), access: access)
    }

    /// Grants a right as the user does.
    @discardableResult
    static func give(
        _ installation: Installation, _ client: String, kind: String = "run", _ path: String,
        access: String = "readWrite",
        expires: Double? = nil, companions: [String]? = nil
    ) async throws -> DocumentReference {
        let administrator = installation.client("org.docent.administrator")
        defer { administrator.close() }
        let added = try await administrator.call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: kind, client: client, location: location(path).wire, access: access, expires: expires,
                companions: companions))
        #expect(added.value.grant.client == client && added.value.grant.clientKind == kind)
        return DocumentReference(added.value.item.reference)
    }

    /// The reference of the item at a path, from the user's view.
    static func reference(_ installation: Installation, _ path: String) async throws -> DocumentReference {
        let administrator = installation.client("org.docent.administrator")
        defer { administrator.close() }
        return try await DocumentPicker(client: administrator).item(at: location(path)).reference
    }

    static func grants(_ installation: Installation) async throws -> [Grant] {
        try await installation.docent("grants", "--json").succeeded().json([Grant].self)
    }

    /// The content that a client reads; the error code if it is refused.
    static func read(_ client: DocumentsClient, _ reference: DocumentReference) async -> String {
        do throws(DocumentsError) {
            return IsolationTests.text(try await client.document(reference).openForReading())
        } catch {
            return "\(error.code)"
        }
    }

    /// The names that a client sees in a folder.
    static func names(_ client: DocumentsClient, _ folder: DocumentReference) async throws -> [String] {
        try await client.call(DocumentsInterface.List.self, .init(reference: folder.wire)).value.items.map(\.name)
            .sorted()
    }

    static func save(_ text: String, _ document: SecurityScopedDocument) async throws {
        let writing = try await document.beginWriting(replacing: true)
        _ = write(writing.descriptor, text, text.utf8.count)
        _ = try await writing.commit()
    }

    static func makeFolder(_ installation: Installation, _ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: installation.documents + path, withIntermediateDirectories: true)
    }

    static let refused = "\(DocumentsError.Code.notPermitted)"
}
