/// How long and how much of the audit is kept.
package struct AuditRetention: Sendable, Hashable {
    /// Days after which an entry is removed.
    package var days: Double
    /// The most entries for counted events: opens, refusals and downloads.
    package var counted: Int
    /// The most of these entries for one client, so that no client can displace the entries of others.
    package var countedOfClient: Int
    /// The most entries for changes of rights, which opens do not displace.
    package var rights: Int

    /// The default limits.
    package init(days: Double = 180, counted: Int = 200_000, countedOfClient: Int = 50_000, rights: Int = 200_000) {
        self.days = days
        self.counted = counted
        self.countedOfClient = countedOfClient
        self.rights = rights
    }

    /// Parses `DOCENT_AUDIT_DAYS`: a number of days above 0.
    /// - Returns: nil when the text is not one.
    package init?(environmentText text: String) {
        guard let days = Double(text), days.isFinite, days > 0, days <= 36_500 else { return nil }
        self.init(days: days)
    }
}
