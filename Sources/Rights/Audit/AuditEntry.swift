package import FoundationEssentials
import GRDB

/// One entry of the audit: something that was granted, revoked, refused, opened, downloaded or merged.
package struct AuditEntry: Hashable, Sendable, Codable, Identifiable {
    /// The kinds of events.
    package enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        /// A right was given or widened.
        case granted
        /// A right that would have ended with its client was made persistent.
        case taken
        /// A right was revoked or narrowed.
        case revoked
        /// A right expired, or ended with its client.
        case expired
        /// An access was refused; equal refusals within a minute are one entry.
        case refused
        /// A document was opened on the basis of a grant; equal opens within a minute are one entry.
        case opened
        /// Content was fetched from a provider; equal downloads within a minute are one entry.
        case downloaded
        /// A conflict was merged without asking, because the user wants that.
        case merged

        /// Counted events, which are kept only in moderate numbers; the others are changes of rights.
        package static let counted: Set<Event> = [.refused, .opened, .downloaded]
    }

    /// Increases with time; never reused.
    package let id: Int64
    /// The event.
    package let event: Event
    /// The client that it concerns or that caused it; of kind ``Principal/Kind/unknown`` when Docent itself did.
    package let principal: Principal
    /// The document; its provider is empty if one entry counts several documents (``furtherItems``).
    package let item: ItemKey
    /// The access that was granted, revoked or requested.
    package let access: AccessLevel
    /// The origin of a grant, the reason of a refusal, the purpose of a download, or what was merged; may be empty.
    package let detail: String
    /// The right that allowed it or that changed; the number remains when the right is gone.
    package let grant: Int64?
    /// The requesting process, as the daemon numbers processes.
    package let process: Int?
    /// The requesting program, if known.
    package let executable: String?
    /// How many times it happened, at least once.
    package let count: Int
    /// The first time.
    package let first: Date
    /// The last time.
    package let last: Date

    /// Stands for further documents once a client has been refused too many of them in a minute.
    package static let furtherItems = ItemKey(provider: "", domain: "", identifier: "")
    /// Stands for clients once too many different ones have been refused in a minute.
    package static let severalClients = "*"

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
        self.grant = row["grant_id"]
        self.process = row["process"]
        self.executable = row["executable"]
        self.count = row["count"]
        self.first = Date(milliseconds: row["first"])
        self.last = Date(milliseconds: row["last"])
    }
}
