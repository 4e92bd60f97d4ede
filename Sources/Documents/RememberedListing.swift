/// Why a folder is listed as it was known before: its provider could not be asked now.
public struct RememberedListing: Sendable, Hashable {
    /// Why, as a sentence for people.
    public let reason: String
    /// When the provider was asked last, in seconds since 1970; nil when that is not known.
    public let since: Double?

    package init(reason: String, since: Double?) {
        self.reason = reason
        self.since = since
    }
}
