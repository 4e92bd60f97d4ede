public import FoundationEssentials
public import UniformTypes

/// A document or folder as a provider describes it.
public struct FileProviderItem: Hashable, Sendable {
    /// The most bytes that ``thumbnail`` may have in UTF-8.
    public static let maximumThumbnailLength = 1_024

    /// The provider's name for it.
    public var identifier: ItemIdentifier
    /// The folder that it lies in; the root's parent is the root.
    public var parent: ItemIdentifier
    /// Its name, without a slash.
    public var filename: String
    /// Its type; nil: the host takes it from the name's extension.
    public var contentType: UniformType?
    /// The size of the content in bytes; nil if unknown, and for folders.
    public var size: Int?
    /// When the content was changed last.
    public var modificationDate: Date?
    /// When the item was made.
    public var creationDate: Date?
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Changes with the content; nil if the service has nothing like that.
    public var version: ItemVersion?
    /// What may be done with it; nil: whatever the provider's features say.
    public var capabilities: ItemCapabilities?
    /// Whether the content is on this machine; nil: the host knows it.
    public var isDownloaded: Bool?
    /// Whether the service has this content; nil: the host knows it.
    public var isUploaded: Bool?
    /// Whatever the provider wants to be asked for later to make a thumbnail (E1), at most
    /// ``maximumThumbnailLength`` bytes.
    public var thumbnail: String?
    /// What it leads to, where it is a symbolic link: an item of the same domain (2.3). The host asks for the content of that one,
    /// never for a link's. A link that leads anywhere else is better not told of.
    public var symbolicLinkTarget: ItemIdentifier?
    /// Of a folder: whether names in it that differ in case alone are one name; nil: the provider does not say.
    public var ignoresCase: Bool?

    /// A document.
    ///
    /// - Parameters:
    ///   - identifier: The provider's name for it.
    ///   - parent: The folder that it lies in.
    ///   - filename: Its name.
    ///   - size: The size of its content in bytes, if known.
    ///   - version: What changes with its content.
    public init(
        identifier: ItemIdentifier, parent: ItemIdentifier, filename: String, size: Int? = nil,
        version: ItemVersion? = nil
    ) {
        self.identifier = identifier
        self.parent = parent
        self.filename = filename
        self.size = size
        self.isFolder = false
        self.version = version
    }

    /// A folder.
    ///
    /// - Parameters:
    ///   - identifier: The provider's name for it.
    ///   - parent: The folder that it lies in.
    ///   - filename: Its name.
    public init(folder identifier: ItemIdentifier, parent: ItemIdentifier, filename: String) {
        self.identifier = identifier
        self.parent = parent
        self.filename = filename
        self.isFolder = true
    }

    /// A symbolic link.
    ///
    /// - Parameters:
    ///   - identifier: The provider's name for the link itself.
    ///   - parent: The folder that it lies in.
    ///   - filename: Its name.
    ///   - target: What it leads to, in the same domain.
    public init(
        symbolicLink identifier: ItemIdentifier, parent: ItemIdentifier, filename: String, target: ItemIdentifier
    ) {
        self.init(identifier: identifier, parent: parent, filename: filename)
        contentType = .symbolicLink
        symbolicLinkTarget = target
    }
}
