/// What changed in a domain since an anchor.
public struct ItemChanges: Hashable, Sendable {
    /// Items that are new or different.
    public var changed: [FileProviderItem]
    /// Items that are gone, for certain.
    public var deleted: [ItemIdentifier]
    /// Stands for the state after these changes.
    public var anchor: String
    /// Whether asking again from ``anchor`` brings more at once.
    public var hasMore: Bool

    /// Changes from their parts.
    public init(
        changed: [FileProviderItem] = [], deleted: [ItemIdentifier] = [], anchor: String, hasMore: Bool = false
    ) {
        self.changed = changed
        self.deleted = deleted
        self.anchor = anchor
        self.hasMore = hasMore
    }
}
