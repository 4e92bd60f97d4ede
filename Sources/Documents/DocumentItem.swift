package import DocentInterfaces

/// What is known of a document or folder.
public struct DocumentItem: Sendable, Hashable {
    /// Its name for later calls.
    public let reference: DocumentReference
    /// Its file name; a byte that is not UTF-8 is shown as `\xHH`.
    public let name: String
    /// How it was reached, as `/folder/name`, where that is known.
    public let path: String?
    /// Its uniform type identifier.
    public let contentType: String
    /// Bytes, where known; nil for folders.
    public let size: Int?
    /// Seconds since 1970-01-01 UTC.
    public let modificationDate: Double?
    /// Seconds since 1970-01-01 UTC.
    public let creationDate: Double?
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Whether its content is here (the client's form of E3).
    public let isDownloaded: Bool
    /// Whether the provider has everything that was saved here.
    public let isUploaded: Bool
    /// Changes whenever the content does.
    public let version: String?
    /// What the version of this content was before its upload was confirmed.
    package let formerVersion: String?
    /// How far what was saved here has come.
    public let uploadState: UploadState
    /// Whether its content is kept on this machine.
    public let isPinned: Bool
    /// Whether there is newer content remotely than the copy that is here.
    public let isStale: Bool
    /// How many versions are kept of it beside the current one, because two changes met.
    public let conflicts: Int
    /// What the provider names its thumbnail by, where it has one.
    public let thumbnail: String?
    /// What it leads to, where it is a symbolic link and the client may read that; a right to the link is none to its target.
    public let symbolicLinkTarget: DocumentReference?
    /// Of a folder: whether names in it that differ in case alone are known to be one name.
    public let ignoresCase: Bool

    /// Whether it is a symbolic link.
    public var isSymbolicLink: Bool { contentType == "public.symlink" }

    /// Whether the content is that of an earlier description of the item; nil where a version is not known (HAZARDS 5).
    package func hasContent(of earlier: DocumentItem) -> Bool? {
        guard let version, let other = earlier.version else { return nil }
        return version == other || formerVersion == other
    }

    /// - Parameter path: how it was reached, where the daemon does not say.
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
