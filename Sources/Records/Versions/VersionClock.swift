package import FoundationEssentials

/// Protects versions from a clock that is wrong by months: what looks old only because the clock jumped is not removed.
///
/// A jump is believed once it has lasted for a day.
package struct VersionClock: Hashable, Sendable {
    /// When versions were last thinned by a trusted clock.
    package var trusted: Date?
    /// What the clock showed when it first jumped.
    package var doubted: Date?

    private static let longest: TimeInterval = 40 * 86_400
    private static let backwards: TimeInterval = 3600
    private static let probation: TimeInterval = 86_400

    /// Creates the state.
    package init(trusted: Date? = nil, doubted: Date? = nil) {
        self.trusted = trusted
        self.doubted = doubted
    }

    /// Whether versions may be removed because of their age, and the state afterwards.
    package func read(_ now: Date) -> (isTrusted: Bool, next: VersionClock) {
        guard let trusted else { return (true, VersionClock(trusted: now)) }
        let passed = now.timeIntervalSince(trusted)
        if passed >= -Self.backwards, passed <= Self.longest { return (true, VersionClock(trusted: now)) }
        if let doubted {
            let waited = now.timeIntervalSince(doubted)
            if waited >= Self.probation, waited <= Self.longest { return (true, VersionClock(trusted: now)) }
            if waited >= 0, waited < Self.probation { return (false, self) }
        }
        return (false, VersionClock(trusted: trusted, doubted: now))
    }
}
