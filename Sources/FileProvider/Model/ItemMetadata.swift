public import FoundationEssentials

/// What a client wants to be kept beside the content of a document.
///
/// Only providers with the feature ``ProviderFeatures/metadata`` receive it, as ``ContentReader/metadata`` or in
/// ``PackageReplacement/commit(metadata:)``. A provider leaves out what it cannot keep, without an error.
public struct ItemMetadata: Hashable, Sendable {
    /// Extended attributes of the namespace `user.`, by their full names.
    public var extendedAttributes: [String: Data]
    /// When the document was created, if the client specified it.
    public var creationDate: Date?
    /// When the content was last changed, if the client specified it; nil: the time of storing.
    public var modificationDate: Date?
    /// Whether the extension of its name is hidden, if the client specified it.
    public var hasHiddenExtension: Bool?
    /// A thumbnail of the document: a PNG of at most 1 MiB.
    public var thumbnail: Data?

    /// Creates metadata.
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
