import DocentInterfaces

/// What was embedded in a bookmark when it was made (G4), whatever became of the document since.
public struct BookmarkValues: Sendable, Hashable {
    /// Bundle identifier of the document's provider, which may not be installed any more.
    public let provider: String
    /// The file name.
    public let name: String?
    /// The uniform type identifier.
    public let contentType: String?
    /// Bytes.
    public let size: Int?
    /// Seconds since 1970-01-01 UTC.
    public let modificationDate: Double?
    /// Seconds since 1970-01-01 UTC.
    public let creationDate: Double?
    /// Where it lay, as `/folder/name`.
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
