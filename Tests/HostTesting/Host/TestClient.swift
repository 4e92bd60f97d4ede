import DaemonCore
package import DocentInterfaces
package import HostCore
import RemoteDocuments
package import Rights
import Saving
import Storage

/// A client with a session, as the services see it.
package struct TestClient: Sendable {
    /// Its session.
    package let session: Session
    private let services: HostAssembly

    init(_ session: Session, _ services: HostAssembly) {
        self.session = session
        self.services = services
    }

    /// Begins to replace a document, and writes its new content.
    package func begin(_ key: ItemKey, _ text: String, operation: String, claim: String? = nil) async throws {
        let (file, _, _) = try await services.writes.begin(
            session, key, replacing: true, operation: operation, claim: claim)
        try file.fill(text)
    }

    /// Begins a new document, and writes its content.
    package func begin(
        new name: String, in folder: ItemKey, _ text: String, operation: String, claim: String? = nil
    ) async throws {
        let file = try await services.writes.begin(
            session, new: name, contentType: nil, in: folder, operation: operation, claim: claim)
        try file.fill(text)
    }

    /// Commits what was written.
    @discardableResult
    package func commit(_ operation: String, claim: String? = nil) async throws -> Wire.Item {
        try await services.writes.commit(session, operation, claim: claim)
    }

    /// Replaces the content of a document.
    @discardableResult
    package func save(_ key: ItemKey, _ text: String, operation: String = "save") async throws -> Wire.Item {
        try await begin(key, text, operation: operation)
        return try await commit(operation)
    }

    /// The state of an operation: `open`, `committed`, `finished`, `failed` or `unknown`.
    package func state(_ operation: String) async throws -> String {
        try await services.writes.outcome(session, operation).state
    }

    /// What a client reads.
    package func read(_ key: ItemKey) async throws -> String { try await services.gateway.content(key).descriptor.text }
}
