package import DocentInterfaces

/// A document that was used, or a favourite.
public struct RecentDocument: Sendable, Hashable {
    /// The document as it is now; as it was then, with ``isRemembered``.
    public let item: DocumentItem
    /// When it was used last, in seconds since 1970-01-01 UTC; nil for a favourite.
    public let used: Double?
    /// The client that used it then; nil for a confined program and for a favourite.
    public let client: String?
    /// Whether its provider could not be asked, so that it may have changed or have gone.
    public let isRemembered: Bool

    package init(_ wire: Wire.RecentItem) {
        item = DocumentItem(wire.item)
        used = wire.used
        client = wire.client
        isRemembered = wire.remembered ?? false
    }
}
