public import FoundationEssentials
public import UniformTypes

/// A document or folder as a provider describes it.
public struct FileProviderItem: Hashable, Sendable {
    /// The maximum length of ``thumbnail`` in bytes of UTF-8.
    public static let maximumThumbnailLength = 1_024

    /// The provider's identifier for it.
    public var identifier: ItemIdentifier
    /// Its parent folder; the root's parent is the root.
    public var parent: ItemIdentifier
    /// Its name, which contains no slash.
    public var filename: String
    /// Its type; nil: the host derives it from the name's extension.
    public var contentType: UniformType?
    /// The size of the content in bytes; nil if unknown, and for folders.
    public var size: Int?
    /// When the content was last changed.
    public var modificationDate: Date?
    /// When the item was created.
    public var creationDate: Date?
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Changes with the content; nil if the service has no such value.
    public var version: ItemVersion?
    /// What can be done with it; nil: what the provider's features say.
    public var capabilities: ItemCapabilities?
    /// Whether the content is on this machine; nil: the host decides.
    public var isDownloaded: Bool?
    /// Whether the service has this content; nil: the host decides.
    public var isUploaded: Bool?
    /// Data that the provider wants to get back when it is asked for a thumbnail, at most ``maximumThumbnailLength``
    /// bytes.
    public var thumbnail: String?
    /// The target of a symbolic link: an item of the same domain. The host asks for the content of the target, never of
    /// the link. Leave out links that lead anywhere else.
    public var symbolicLinkTarget: ItemIdentifier?
    /// For a folder: whether names in it that differ only in case are the same name; nil if unknown.
    public var ignoresCase: Bool?

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - identifier: The provider's identifier for it.
    ///   - parent: Its parent folder.
    ///   - filename: Its name.
    ///   - size: The size of its content in bytes, if known.
    ///   - version: A value that changes with its content.
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

    /// Creates a folder.
    ///
    /// - Parameters:
    ///   - identifier: The provider's identifier for it.
    ///   - parent: Its parent folder.
    ///   - filename: Its name.
    public init(folder identifier: ItemIdentifier, parent: ItemIdentifier, filename: String) {
        self.identifier = identifier
        self.parent = parent
        self.filename = filename
        self.isFolder = true
    }

    /// Creates a symbolic link.
    ///
    /// - Parameters:
    ///   - identifier: The provider's identifier for the link itself.
    ///   - parent: Its parent folder.
    ///   - filename: Its name.
    ///   - target: The item that it leads to, in the same domain.
    public init(
        symbolicLink identifier: ItemIdentifier, parent: ItemIdentifier, filename: String, target: ItemIdentifier
    ) {
        self.init(identifier: identifier, parent: parent, filename: filename)
        contentType = .symbolicLink
        symbolicLinkTarget = target
    }
}
