public import FoundationEssentials

/// The content of a placeholder: what is known of the document that it stands for.
public struct PlaceholderMetadata: Codable, Hashable, Sendable {
    /// The document's name.
    public var name: String
    /// Its size in bytes, if known.
    public var size: Int?
    /// Whether it is a package: a folder that looks like one document.
    public var isPackage: Bool
    /// Its uniform type identifier, if known.
    public var contentType: String?
    /// When its content was last changed.
    public var modificationDate: Date?
    /// When it was created.
    public var creationDate: Date?
    /// A text that changes with its content, at most 128 bytes.
    public var version: String?
    /// Data that the provider wants to get back when it is asked for a thumbnail, at most 1,024 bytes.
    public var thumbnail: String?

    /// Creates metadata.
    public init(
        name: String, size: Int? = nil, isPackage: Bool = false, contentType: String? = nil,
        modificationDate: Date? = nil, creationDate: Date? = nil, version: String? = nil, thumbnail: String? = nil
    ) {
        self.name = name
        self.size = size
        self.isPackage = isPackage
        self.contentType = contentType
        self.modificationDate = modificationDate
        self.creationDate = creationDate
        self.version = version
        self.thumbnail = thumbnail
    }
}
