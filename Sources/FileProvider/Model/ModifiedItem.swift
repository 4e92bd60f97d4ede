/// The result of a change of an item's content.
public struct ModifiedItem: Hashable, Sendable {
    /// The item with its new content.
    public var item: FileProviderItem
    /// The item that keeps the previous content, if that was not the base of the change.
    public var conflict: ItemIdentifier?

    /// Creates a result.
    public init(item: FileProviderItem, conflict: ItemIdentifier? = nil) {
        self.item = item
        self.conflict = conflict
    }
}
