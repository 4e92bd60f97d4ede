public import FoundationEssentials

/// What is stored of a document beside its contents, in the same coordinated write (K10).
///
/// It is published with the contents, also when that goes on after the program has ended. What a provider cannot keep is left out,
/// without an error: LocalFolder keeps extended attributes, the modification date and the thumbnail, WebDAV the modification date where
/// the server takes one.
public struct DocumentAttributes: Sendable, Hashable {
    /// Seconds since 1970-01-01 UTC; nil for the moment of saving.
    public var modificationDate: Double?
    /// Seconds since 1970-01-01 UTC; nil for what the provider has.
    public var creationDate: Double?
    /// Whether the extension of its name is not to be shown; nil for what the provider has.
    public var hasHiddenExtension: Bool?
    /// A picture of the document, PNG, at most 1 MiB.
    public var thumbnail: Data?
    /// Extended attributes of the namespace `user.`, by their whole names; at most 64, of 64 KiB together.
    public var extendedAttributes: [String: Data]

    /// Attributes from their parts.
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

    /// Whether nothing is said.
    package var isEmpty: Bool { self == DocumentAttributes() }
}
