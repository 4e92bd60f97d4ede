package import FoundationEssentials
import GRDB
package import Rights

/// Content of a document that is kept beside the current content.
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
        /// It was the current content until a save replaced it.
        case superseded
        /// A client added it.
        case added

        /// Whether two changes collided, so that the user has to decide (M5).
        package var isConflict: Bool {
            switch self {
            case .conflict, .unsent, .deleted: true
            case .recovered, .replaced, .superseded, .added: false
            }
        }

        /// The standing of a version that is new.
        package var standing: Standing {
            switch self {
            case .conflict, .unsent, .deleted: .conflict
            case .recovered: .kept
            case .replaced, .superseded, .added: .ordinary
            }
        }
    }

    /// How long it stays.
    package enum Standing: String, Hashable, Sendable {
        /// Until the user has settled the conflict.
        case conflict
        /// Until the user removes it.
        case kept
        /// Until it is thinned out, or the user removes it.
        case ordinary
    }

    /// A unique name.
    package var id: String
    /// The document.
    package var key: ItemKey
    /// The document's name at the time.
    package var name: String
    /// Why it was kept.
    package var reason: Reason
    /// How long it stays.
    package var standing: Standing
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
    /// The client that saved this content; nil when it was not saved on this machine, or long ago.
    package var savedBy: Principal?
    /// The name of the machine on which it was saved; nil when unknown.
    package var host: String?
    /// When this content was saved, as far as known.
    package var modified: Date?
    /// The version that the document had with this content, if known.
    package var contentVersion: String?

    /// Creates a record.
    package init(
        id: String, key: ItemKey, name: String, reason: Reason, size: Int64, digest: String? = nil,
        created: Date = .now, folder: String, file: String, operation: String? = nil, savedBy: Principal? = nil,
        host: String? = nil, modified: Date? = nil, contentVersion: String? = nil
    ) {
        self.id = id
        self.key = key
        self.name = name
        self.reason = reason
        standing = reason.standing
        self.size = size
        self.digest = digest
        self.created = created
        self.folder = folder
        self.file = file
        self.operation = operation
        self.savedBy = savedBy
        self.host = host
        self.modified = modified
        self.contentVersion = contentVersion
    }

    /// Whether the user has to decide between this content and the current one.
    package var isUnresolved: Bool { standing == .conflict }

    /// Whether it is a package, so that its place is a folder of `PackageVersionStore`.
    package var isPackage: Bool { file.hasPrefix("package-") }

    init(row: Row) {
        let kind = (row["saved_kind"] as String?).flatMap(Principal.Kind.init(rawValue:))
        self.init(
            id: row["id"], key: ItemKey(row: row), name: row["name"],
            // A reason from a newer Docent: the version is kept anyway.
            reason: Reason(rawValue: row["reason"]) ?? .recovered, size: row["size"], digest: row["digest"],
            created: Date(milliseconds: row["created"]), folder: row["folder"], file: row["file"],
            operation: row["operation"],
            savedBy: kind.flatMap { kind in
                (row["saved_by"] as String?).map { Principal(kind: kind, identifier: $0) }
            },
            host: row["host"], modified: (row["modified"] as Int64?).map(Date.init(milliseconds:)),
            contentVersion: row["content_version"])
        standing = Standing(rawValue: row["standing"]) ?? .kept
    }
}
