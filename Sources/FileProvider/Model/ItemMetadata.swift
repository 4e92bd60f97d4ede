public import FoundationEssentials

/// What a client wants to be kept beside the content of a document (K10).
///
/// Given only to providers with the feature ``ProviderFeatures/metadata``, as ``ContentReader/metadata`` or to
/// ``PackageReplacement/commit(metadata:)``. What a provider cannot keep it leaves out, without an error.
public struct ItemMetadata: Hashable, Sendable {
    /// Extended attributes of the namespace `user.`, by their whole names.
    public var extendedAttributes: [String: Data]
    /// When the document was made, if the client said it.
    public var creationDate: Date?
    /// When the content was changed last, if the client said it; nil: the moment of storing.
    public var modificationDate: Date?
    /// Whether the extension of its name is not to be shown, if the client said it.
    public var hasHiddenExtension: Bool?
    /// A picture of the document, a PNG of at most 1 MiB.
    public var thumbnail: Data?

    /// Metadata from its parts.
    public init(
        extendedAttributes: [String: Data] = [:], creationDate: Date? = nil, modificationDate: Date? = nil,
        hasHiddenExtension: Bool? = nil, thumbnail: Data? = nil
    ) {
        self.extendedAttributes = extendedAttributes
        self.creationDate = creationDate
        self.modificationDate = modificationDate
        self.hasHiddenExtension = hasHiddenExtension
        self.thumbnail = thumbnail
    }
}
