package import FoundationEssentials
import GRDB

/// One line of the audit: something that was granted, revoked, refused, opened or downloaded (I4).
package struct AuditEntry: Hashable, Sendable, Codable, Identifiable {
    /// What happened.
    package enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        /// A right was given or widened.
        case granted
        /// A right that would have ended with its client was made to last.
        case taken
        /// A right was taken away or narrowed.
        case revoked
        /// A right came to its end by itself.
        case expired
        /// An access was refused; like ones of one minute are one entry.
        case refused
        /// A document was opened by right of a grant; like ones of one minute are one entry.
        case opened
        /// Content was fetched from a provider; like ones of one minute are one entry.
        case downloaded

        /// What is counted, and what only has to be kept in moderate numbers; the others are changes of rights.
        package static let counted: Set<Event> = [.refused, .opened, .downloaded]
    }

    /// Rises with time, never used twice.
    package let id: Int64
    /// What happened.
    package let event: Event
    /// To whom, or who caused it; of the kind ``Principal/Kind/unknown`` when Docent itself did.
    package let principal: Principal
    /// With which document; the provider is empty where one entry counts several (``furtherItems``).
    package let item: ItemKey
    /// The access that was given, taken or asked for.
    package let access: AccessLevel
    /// The origin of a grant, the reason of a refusal, or what a download was for; may be empty.
    package let detail: String
    /// The right by which it was allowed, or that changed; the number stays when the right is gone.
    package let grant: Int64?
    /// The process that asked, as the daemon numbers processes.
    package let process: Int?
    /// The program that asked, where it is known.
    package let executable: String?
    /// How often, at least once.
    package let count: Int
    /// The first time.
    package let first: Date
    /// The last time.
    package let last: Date

    /// What stands for further documents once a client has been refused too many of them in a minute.
    package static let furtherItems = ItemKey(provider: "", domain: "", identifier: "")
    /// What stands for clients once too many different ones have been refused in a minute.
    package static let severalClients = "*"

    /// Whether the entry counts accesses to several documents that are not told apart.
    package var isSummary: Bool { item.provider.isEmpty }

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
