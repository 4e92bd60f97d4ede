package import FoundationEssentials
import GRDB

/// One line of the audit: something that was granted, revoked, refused or opened.
package struct AuditEntry: Hashable, Sendable, Codable, Identifiable {
    /// What happened.
    package enum Event: String, Hashable, Sendable, Codable {
        /// A right was given or widened.
        case granted
        /// A right was taken away.
        case revoked
        /// An access was refused; like ones of one minute are one entry.
        case refused
        /// A document was opened by right of a grant; like ones of one minute are one entry.
        case opened
    }

    /// Rises with time, never used twice.
    package let id: Int64
    /// What happened.
    package let event: Event
    /// To whom.
    package let principal: Principal
    /// With which document.
    package let item: ItemKey
    /// The access that was given, taken or asked for.
    package let access: AccessLevel
    /// The origin of a grant or the reason of a refusal; may be empty.
    package let detail: String
    /// How often, at least once.
    package let count: Int
    /// The first time.
    package let first: Date
    /// The last time.
    package let last: Date

    init?(row: Row) {
        guard let event = Event(rawValue: row["event"]), let access = AccessLevel(rawValue: row["access"]) else {
            return nil
        }
        self.id = row["id"]
        self.event = event
        self.principal = Principal(row: row)
        self.item = ItemKey(row: row)
        self.access = access
        self.detail = row["detail"]
        self.count = row["count"]
        self.first = Date(milliseconds: row["first"])
        self.last = Date(milliseconds: row["last"])
    }
}
