package import DocentInterfaces

/// The metadata of a document or folder.
public struct DocumentItem: Sendable, Hashable {
    /// The reference to use in later calls.
    public let reference: DocumentReference
    /// The file name; a byte that is not UTF-8 is shown as `\xHH`.
    public let name: String
    /// The path by which it was reached, such as `/folder/name`; nil when unknown.
    public let path: String?
    /// The uniform type identifier.
    public let contentType: String
    /// The size in bytes; nil for folders and when unknown.
    public let size: Int?
    /// Seconds since 1970-01-01 UTC; nil when unknown.
    public let modificationDate: Double?
    /// Seconds since 1970-01-01 UTC; nil when unknown.
    public let creationDate: Double?
    /// Whether this is a folder.
    public let isFolder: Bool
    /// Whether the content is on this machine.
    public let isDownloaded: Bool
    /// Whether the provider has everything that was saved here.
    public let isUploaded: Bool
    /// Changes whenever the content does; nil when unknown.
    public let version: String?
    /// The version that this content had before its upload was confirmed.
    package let formerVersion: String?
    /// How far the upload of saved changes has come.
    public let uploadState: UploadState
    /// Whether the content is always kept on this machine.
    public let isPinned: Bool
    /// Whether the provider has newer content than the copy on this machine.
    public let isStale: Bool
    /// The number of versions kept beside the current one because of conflicting changes.
    public let conflicts: Int
    /// The provider's identifier for the thumbnail; nil without one.
    public let thumbnail: String?
    /// The target of a symbolic link that the client may read. A right to the link is not a right to its target.
    public let symbolicLinkTarget: DocumentReference?
    /// For a folder, whether names in it that differ only in case are known to be the same name.
    public let ignoresCase: Bool

    /// Whether this is a symbolic link.
    public var isSymbolicLink: Bool { contentType == "public.symlink" }

    /// Whether the content is the same as in an earlier description of the item; nil when either version is unknown.
    package func hasContent(of earlier: DocumentItem) -> Bool? {
        guard let version, let other = earlier.version else { return nil }
        return version == other || formerVersion == other
    }

    /// - Parameter path: the path by which the item was reached, used when the daemon does not report one.
    package init(_ wire: Wire.Item, path: String? = nil) {
        reference = DocumentReference(wire.reference)
        name = wire.name
        self.path = wire.path ?? path
        contentType = wire.contentType
        size = wire.size
        modificationDate = wire.modificationDate
        creationDate = wire.creationDate
        isFolder = wire.isFolder
        isDownloaded = wire.isDownloaded
        isUploaded = wire.isUploaded
        version = wire.version
        formerVersion = wire.formerVersion
        uploadState = UploadState(wire)
        isPinned = wire.isPinned ?? false
        isStale = wire.isStale ?? false
        conflicts = wire.conflicts ?? 0
        thumbnail = wire.thumbnail
        symbolicLinkTarget = wire.symbolicLinkTarget.map { target in
            DocumentReference(
                .init(provider: wire.reference.provider, domain: wire.reference.domain, identifier: target))
        }
        ignoresCase = wire.ignoresCase ?? false
    }
}
