/// An item whose content is a local file already, with that file open for reading only.
public struct InPlaceContent: ~Copyable, Sendable {
    /// The item at the file's version.
    public let item: FileProviderItem
    /// The file.
    public let file: OpenFile

    /// Creates the content of an item.
    public init(item: FileProviderItem, file: consuming OpenFile) {
        self.item = item
        self.file = file
    }
}
