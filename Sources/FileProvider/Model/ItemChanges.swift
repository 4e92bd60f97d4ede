/// What changed in a domain since an anchor.
public struct ItemChanges: Hashable, Sendable {
    /// New and changed items.
    public var changed: [FileProviderItem]
    /// Items that are certainly gone.
    public var deleted: [ItemIdentifier]
    /// The anchor of the state after these changes.
    public var anchor: String
    /// Whether more changes are available at once from ``anchor``.
    public var hasMore: Bool

    /// Creates a list of changes.
    public init(
        changed: [FileProviderItem] = [], deleted: [ItemIdentifier] = [], anchor: String, hasMore: Bool = false
    ) {
        self.changed = changed
        self.deleted = deleted
        self.anchor = anchor
        self.hasMore = hasMore
    }
}
