/// How long and how much of the audit is kept.
package struct AuditRetention: Sendable, Hashable {
    /// Days after which an entry is forgotten.
    package var days: Double
    /// The most entries of what is counted: opens, refusals and downloads.
    package var counted: Int
    /// The most of these entries of one client, so that none can push out what is told of the others.
    package var countedOfClient: Int
    /// The most entries of changes of rights, which no opens push out.
    package var rights: Int

    /// The usual bounds.
    package init(days: Double = 180, counted: Int = 200_000, countedOfClient: Int = 50_000, rights: Int = 200_000) {
        self.days = days
        self.counted = counted
        self.countedOfClient = countedOfClient
        self.rights = rights
    }

    /// What `DOCENT_AUDIT_DAYS` says: a number of days above 0.
    /// - Returns: nil when it is not one.
    package init?(environmentText text: String) {
        guard let days = Double(text), days.isFinite, days > 0, days <= 36_500 else { return nil }
        self.init(days: days)
    }
}
