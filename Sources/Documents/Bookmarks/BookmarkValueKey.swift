/// A value of a document that can be embedded in a bookmark.
public struct BookmarkValueKey: Sendable, Hashable {
    /// The name of the item's field.
    public let rawValue: String
    /// Creates a key from a name. The daemon rejects an unknown name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file name.
    public static let name = BookmarkValueKey(rawValue: "name")
    /// The uniform type identifier.
    public static let contentType = BookmarkValueKey(rawValue: "contentType")
    /// The size in bytes.
    public static let size = BookmarkValueKey(rawValue: "size")
    /// The time of the last change to the content.
    public static let modificationDate = BookmarkValueKey(rawValue: "modificationDate")
    /// The time when the document was created.
    public static let creationDate = BookmarkValueKey(rawValue: "creationDate")
    /// The path in the provider; not available to a program in a sandbox.
    public static let path = BookmarkValueKey(rawValue: "path")

    /// All keys.
    public static let all: [BookmarkValueKey] = [.name, .contentType, .size, .modificationDate, .creationDate, .path]
}
