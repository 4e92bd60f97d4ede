import DocentInterfaces

/// Why a folder's listing, or an item's description, is an earlier one: its provider cannot be asked now.
public struct RememberedListing: Sendable, Hashable {
    /// The reason, as a sentence for people.
    public let reason: String
    /// When the provider was last asked, in seconds since 1970; nil when unknown.
    public let since: Double?

    package init(reason: String, since: Double?) {
        self.reason = reason
        self.since = since
    }

    init(_ remembered: Wire.Remembered) { self.init(reason: remembered.reason, since: remembered.since) }
}
