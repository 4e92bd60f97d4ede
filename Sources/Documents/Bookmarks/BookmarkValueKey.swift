/// A value of a document that can be embedded in a bookmark (G4).
public struct BookmarkValueKey: Sendable, Hashable {
    /// The key's name, as of a field of an item.
    public let rawValue: String
    /// A key by its name. The daemon refuses one that it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file name.
    public static let name = BookmarkValueKey(rawValue: "name")
    /// The uniform type identifier.
    public static let contentType = BookmarkValueKey(rawValue: "contentType")
    /// The size in bytes.
    public static let size = BookmarkValueKey(rawValue: "size")
    /// When the content was changed last.
    public static let modificationDate = BookmarkValueKey(rawValue: "modificationDate")
    /// When the document was made.
    public static let creationDate = BookmarkValueKey(rawValue: "creationDate")
    /// Where it lay in its provider; not told to a program in a sandbox.
    public static let path = BookmarkValueKey(rawValue: "path")

    /// All of them.
    public static let all: [BookmarkValueKey] = [.name, .contentType, .size, .modificationDate, .creationDate, .path]
}
