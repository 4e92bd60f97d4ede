package import FoundationEssentials
package import HostCore

/// How the host keeps remote documents. Read once from the environment.
package struct RemoteSettings: Sendable, Hashable {
    /// Seconds for which a provider's answer is used without asking again; `DOCENT_FRESH_SECONDS`, 10.
    package var freshSeconds: Double
    /// Seconds between two looks for remote changes; `DOCENT_POLL_SECONDS`, 30; 0 disables them.
    package var pollSeconds: Double
    /// Bytes that must stay free on the disk beside local copies; `DOCENT_MINIMUM_FREE_BYTES`, 256 MiB.
    package var minimumFreeBytes: Int64
    /// Seconds that a caller waits for a provider's answer when the index knows enough to answer.
    package var patienceSeconds: Double = 5

    /// How much the listing of a folder may have; `DOCENT_LISTING_ITEMS`, 200,000 items.
    package var listingLimits = PageSequence.Limits()
    /// The same for an in-place folder, for which the daemon keeps nothing; the same variable, a million items.
    package var inPlaceLimits = PageSequence.Limits.inPlace

    /// Reads the variables; a value that is not a number counts as unset.
    package init(environment: [String: String]) {
        freshSeconds = environment["DOCENT_FRESH_SECONDS"].flatMap(Double.init).map { max(0, $0) } ?? 10
        pollSeconds = environment["DOCENT_POLL_SECONDS"].flatMap(Double.init).map { max(0, $0) } ?? 30
        minimumFreeBytes =
            environment["DOCENT_MINIMUM_FREE_BYTES"].flatMap(Int64.init).map { max(0, $0) } ?? 256 << 20
        if let items = environment["DOCENT_LISTING_ITEMS"].flatMap(Int.init), items > 0 {
            listingLimits.items = items
            inPlaceLimits.items = items
        }
    }

    /// Whether something learned at a moment is still considered current. A moment in the future (the clock was set
    /// back) is not.
    package func isFresh(_ moment: Date?, now: Date = .now) -> Bool {
        guard let moment else { return false }
        let age = now.timeIntervalSince(moment)
        return age >= 0 && age < freshSeconds
    }
}
