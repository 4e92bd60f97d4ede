import DocentInterfaces

/// The values that were embedded in a bookmark when it was made, whatever has happened to the document since.
public struct BookmarkValues: Sendable, Hashable {
    /// The bundle identifier of the document's provider, which may no longer be installed.
    public let provider: String
    /// The file name.
    public let name: String?
    /// The uniform type identifier.
    public let contentType: String?
    /// The size in bytes.
    public let size: Int?
    /// Seconds since 1970-01-01 UTC.
    public let modificationDate: Double?
    /// Seconds since 1970-01-01 UTC.
    public let creationDate: Double?
    /// The path, such as `/folder/name`.
    public let path: String?

    init(_ reply: DocumentsInterface.BookmarkValues.Reply) {
        provider = reply.provider
        name = reply.name
        contentType = reply.contentType
        size = reply.size
        modificationDate = reply.modificationDate
        creationDate = reply.creationDate
        path = reply.path
    }
}
