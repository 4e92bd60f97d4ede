package import FoundationEssentials
import GRDB
package import Rights

/// The save that gave a document its content.
package struct ContentOrigin: Hashable, Sendable {
    /// The operation.
    package var operation: String
    /// The client that saved it.
    package var savedBy: Principal
    /// The SHA-256 of the content.
    package var digest: String?
    /// When it was saved.
    package var saved: Date
}

// Who saved what a document contains, as far as the journal still knows.
extension OperationJournal {
    /// The save of a document that led to a version of it; nil when the content is not from here, or is too old.
    ///
    /// - Parameters:
    ///   - version: the provider's version.
    ///   - operation: the save itself, for content that its provider does not have yet.
    package func origin(of key: ItemKey, version: String?, operation: String? = nil) async throws -> ContentOrigin? {
        guard key.isStorable else { return nil }
        return try await database.read { database in
            var condition = Condition()
            condition.require(key)
            if let operation {
                condition.require("id = ?", operation)
            } else {
                guard let version else { return nil }
                condition.require("uploaded_version = ?", version)
            }
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM operation\(condition.sql) ORDER BY created DESC LIMIT 1",
                arguments: condition.arguments)
            return try row.map { row in
                let operation = try JournaledOperation(row: row)
                return ContentOrigin(
                    operation: operation.id, savedBy: operation.principal, digest: operation.digest,
                    saved: operation.created)
            }
        }
    }
}
