package import FoundationEssentials
import GRDB

/// The right of one principal to one document (G7).
package struct Grant: Hashable, Sendable, Codable, Identifiable {
    /// How a grant came about: an open set of words.
    package struct Origin: RawRepresentable, Hashable, Sendable, Codable {
        /// The word, as stored and shown.
        package let rawValue: String
        /// Makes an origin of a word.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The user opened the document in a picker.
        package static let open = Origin(rawValue: "open")
        /// The client moved the document to the provider.
        package static let move = Origin(rawValue: "move")
        /// The client wrote the document at a location.
        package static let write = Origin(rawValue: "write")
        /// The client read the document at a location.
        package static let cat = Origin(rawValue: "cat")
        /// A bookmark was resolved.
        package static let bookmark = Origin(rawValue: "bookmark")
    }

    /// A number that is never used twice in one database.
    package let id: Int64
    /// Who may.
    package let principal: Principal
    /// Which document.
    package let item: ItemKey
    /// How far.
    package let access: AccessLevel
    /// What brought the access about; that of the widening when the grant was widened.
    package let origin: Origin
    /// When the grant was first given, in whole milliseconds.
    package let created: Date
    /// The program that asked, for unconfined clients, to be shown to the user.
    package let executable: String?
}

extension Grant {
    static let columns = "id, principal_kind, principal_id, provider, domain, item, access, origin, created, executable"

    /// Reads a row of `grants`; nil when this version cannot tell what the row allows, which then allows nothing.
    init?(row: Row) {
        let principal = Principal(row: row)
        guard principal.kind != .unknown, let access = AccessLevel(rawValue: row["access"]) else { return nil }
        self.init(
            id: row["id"], principal: principal, item: ItemKey(row: row), access: access,
            origin: Origin(rawValue: row["origin"]), created: Date(milliseconds: row["created"]),
            executable: row["executable"])
    }
}
