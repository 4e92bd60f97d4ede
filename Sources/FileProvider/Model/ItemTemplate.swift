public import UniformTypes

/// An item that is to be created.
public struct ItemTemplate: Hashable, Sendable {
    /// The folder in which it is created.
    public var parent: ItemIdentifier
    /// Its name.
    public var filename: String
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Its type, if the client specified it.
    public var contentType: UniformType?

    /// Creates a template.
    public init(
        parent: ItemIdentifier, filename: String, isFolder: Bool = false, contentType: UniformType? = nil
    ) {
        self.parent = parent
        self.filename = filename
        self.isFolder = isFolder
        self.contentType = contentType
    }
}
