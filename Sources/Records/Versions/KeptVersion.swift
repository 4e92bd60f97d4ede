package import FoundationEssentials
import GRDB
package import Rights

/// Content that is kept of a document beside the current one, until the user removes it.
package struct KeptVersion: Hashable, Sendable {
    /// Why it was kept.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The document was changed on both sides; this is ours.
        case conflict
        /// It was never sent, and now cannot be.
        case unsent
        /// A session died uncommitted.
        case recovered
        /// It was the document until the user put another version in its place.
        case replaced
        /// The document was deleted remotely while ours was changed.
        case deleted

        /// Whether two changes met, so that somebody has to decide (M5).
        package var isConflict: Bool {
            switch self {
            case .conflict, .unsent, .deleted: true
            case .recovered, .replaced: false
            }
        }
    }

    /// A name that is never used twice.
    package var id: String
    /// The document.
    package var key: ItemKey
    /// The document's name at the time.
    package var name: String
    /// Why it was kept.
    package var reason: Reason
    /// Bytes.
    package var size: Int64
    /// The SHA-256 of the content, where known.
    package var digest: String?
    /// When it was kept, in whole milliseconds once stored.
    package var created: Date
    /// The folder in `VersionStore`.
    package var folder: String
    /// The file in it.
    package var file: String
    /// The operation that brought it, where one did.
    package var operation: String?

    /// Makes a record.
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
            // A reason of a later version: kept all the same.
            reason: Reason(rawValue: row["reason"]) ?? .recovered, size: row["size"], digest: row["digest"],
            created: Date(milliseconds: row["created"]), folder: row["folder"], file: row["file"],
            operation: row["operation"])
    }
}
