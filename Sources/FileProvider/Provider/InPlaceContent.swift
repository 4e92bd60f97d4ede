/// An item whose content already is a local file, and that very file, open for reading only.
public struct InPlaceContent: ~Copyable, Sendable {
    /// The item at the version that the file has.
    public let item: FileProviderItem
    /// The file.
    public let file: OpenFile

    /// The content of an item.
    public init(item: FileProviderItem, file: consuming OpenFile) {
        self.item = item
        self.file = file
    }
}
