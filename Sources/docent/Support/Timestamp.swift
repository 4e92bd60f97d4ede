import FoundationEssentials

/// Times as they are shown: ISO 8601 in UTC, to the second.
enum Timestamp {
    /// The text of seconds since 1970; nil for none, and for what is outside the years 1 to 9999.
    static func text(_ seconds: Double?) -> String? {
        guard let seconds, (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
    }
}
