/// Something in the trash of a domain.
public struct TrashedItem: Hashable, Sendable {
    /// The longest ``identifier``, in bytes.
    public static let maximumLength = 1_024

    /// Names it in the trash, and nowhere else. The same as long as it is there; at most ``maximumLength`` bytes.
    public var identifier: String
    /// The last name that it had.
    public var filename: String
    /// Where it was, as names from the top of the domain, for people; nil if that is not known.
    public var path: [String]?
    /// The folder that it was in, if that still exists.
    public var parent: ItemIdentifier?
    /// The identifier that it had and will have again, if that is known.
    public var item: ItemIdentifier?
    /// When it was deleted, in seconds since 1970; nil if that is not known.
    public var deletionDate: Double?
    /// The size of a document in bytes, if known.
    public var size: Int?
    /// Whether it is a folder, with all that it contained.
    public var isFolder: Bool

    /// Creates a description.
    public init(
        identifier: String, filename: String, path: [String]? = nil, parent: ItemIdentifier? = nil,
        item: ItemIdentifier? = nil, deletionDate: Double? = nil, size: Int? = nil, isFolder: Bool
    ) {
        self.identifier = identifier
        self.filename = filename
        self.path = path
        self.parent = parent
        self.item = item
        self.deletionDate = deletionDate
        self.size = size
        self.isFolder = isFolder
    }
}
