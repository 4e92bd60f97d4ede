/// What became of a change of an item's content.
public struct ModifiedItem: Hashable, Sendable {
    /// The item with its new content.
    public var item: FileProviderItem
    /// The item that keeps what was there, if that was not the base of the change.
    public var conflict: ItemIdentifier?

    /// A result from its parts.
    public init(item: FileProviderItem, conflict: ItemIdentifier? = nil) {
        self.item = item
        self.conflict = conflict
    }
}
