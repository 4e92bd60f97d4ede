package import FoundationEssentials
import GRDB
package import Rights

/// Content of a document that is kept beside the current content, until the user removes it.
package struct KeptVersion: Hashable, Sendable {
    /// Why it was kept.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The document was changed on both sides; this is the local content.
        case conflict
        /// It was never sent, and can no longer be sent.
        case unsent
        /// Its session ended without a commit.
        case recovered
        /// It was the current content until the user replaced it with another version.
        case replaced
        /// The document was deleted remotely while it had local changes.
        case deleted

        /// Whether two changes collided, so that the user has to decide (M5).
        package var isConflict: Bool {
            switch self {
            case .conflict, .unsent, .deleted: true
            case .recovered, .replaced: false
            }
        }
    }

    /// A unique name.
    package var id: String
    /// The document.
    package var key: ItemKey
    /// The document's name at the time.
    package var name: String
    /// Why it was kept.
    package var reason: Reason
    /// The size in bytes.
    package var size: Int64
    /// The SHA-256 of the content, if known.
    package var digest: String?
    /// When it was kept, in whole milliseconds once stored.
    package var created: Date
    /// The folder in `VersionStore`.
    package var folder: String
    /// The file in it.
    package var file: String
    /// The operation that it comes from, if any.
    package var operation: String?

    /// Creates a record.
    package init(
        id: String, key: ItemKey, name: String, reason: Reason, size: Int64, digest: String? = nil,
        created: Date = .now, folder: String, file: String, operation: String? = nil
    ) {
        self.id = id
        self.key = key
        self.name = name
        self.reason = reason
        self.size = size
        self.digest = digest
        self.created = created
        self.folder = folder
        self.file = file
        self.operation = operation
    }

    init(row: Row) {
        self.init(
            id: row["id"], key: ItemKey(row: row), name: row["name"],
            // A reason from a newer Docent: the version is kept anyway.
            reason: Reason(rawValue: row["reason"]) ?? .recovered, size: row["size"], digest: row["digest"],
            created: Date(milliseconds: row["created"]), folder: row["folder"], file: row["file"],
            operation: row["operation"])
    }
}
