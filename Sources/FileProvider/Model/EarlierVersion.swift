/// An earlier content of a document, which the provider's service has kept. Never the current content.
public struct EarlierVersion: Hashable, Sendable {
    /// The longest ``identifier``, in bytes.
    public static let maximumLength = 500

    /// Names it among the versions of its document. Always the same content; 1 to ``maximumLength`` bytes.
    public var identifier: String
    /// When this content was saved, in seconds since 1970; nil if that is not known.
    public var modificationDate: Double?
    /// The size in bytes, if known.
    public var size: Int?
    /// The version that the item had with this content; nil if that is not known.
    public var version: ItemVersion?
    /// The name of the person who saved it, for people; nil if that is not known.
    public var savedBy: String?

    /// Creates a description.
    public init(
        identifier: String, modificationDate: Double? = nil, size: Int? = nil, version: ItemVersion? = nil,
        savedBy: String? = nil
    ) {
        self.identifier = identifier
        self.modificationDate = modificationDate
        self.size = size
        self.version = version
        self.savedBy = savedBy
    }
}
