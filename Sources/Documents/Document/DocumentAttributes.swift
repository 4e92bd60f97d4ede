public import FoundationEssentials

/// Attributes that are stored with a document's contents in the same coordinated write.
///
/// They are published with the contents, even when that continues after the program has ended. What a provider cannot
/// keep is omitted without an error: LocalFolder keeps extended attributes, the modification date and the thumbnail;
/// WebDAV keeps the modification date if the server accepts one.
public struct DocumentAttributes: Sendable, Hashable {
    /// Seconds since 1970-01-01 UTC; nil for the time of saving.
    public var modificationDate: Double?
    /// Seconds since 1970-01-01 UTC; nil keeps the provider's value.
    public var creationDate: Double?
    /// Whether the extension of the name is hidden; nil keeps the provider's value.
    public var hasHiddenExtension: Bool?
    /// A picture of the document as PNG, at most 1 MiB.
    public var thumbnail: Data?
    /// Extended attributes in the namespace `user.`, by their full names. At most 64, with at most 64 KiB in total.
    public var extendedAttributes: [String: Data]

    /// Creates attributes from their parts.
    public init(
        modificationDate: Double? = nil, thumbnail: Data? = nil, creationDate: Double? = nil,
        hasHiddenExtension: Bool? = nil, extendedAttributes: [String: Data] = [:]
    ) {
        self.modificationDate = modificationDate
        self.creationDate = creationDate
        self.hasHiddenExtension = hasHiddenExtension
        self.thumbnail = thumbnail
        self.extendedAttributes = extendedAttributes
    }

    /// Whether no attribute is set.
    package var isEmpty: Bool { self == DocumentAttributes() }
}
