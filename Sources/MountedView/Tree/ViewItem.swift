package import Documents
package import FileSystemMessages

/// What the view knows of a document or folder.
package struct ViewItem: Sendable, Hashable {
    /// The provider's identifier.
    package var identifier: String
    /// The name that the provider gives it.
    package var name: String
    package var kind: NodeAttributes.Kind
    /// In bytes.
    package var size: UInt64
    package var modified: FileTime
    /// Changes with the content; nil when unknown.
    package var version: String?
    /// The version that the same content had before its upload.
    package var formerVersion: String?
    /// Whether the content is on this machine.
    package var isDownloaded: Bool
    /// Whether its content is kept on this machine.
    package var isPinned: Bool
    /// The identifier of a link's target.
    package var target: String?
    /// Whether it is being written, and not at its provider yet.
    package var isBegun: Bool
    /// Whether it is a file that stays on this machine.
    package var isLocal: Bool
    /// Whether no right to this item itself allows writing. A right to a folder above may (``ViewTree/Contents``).
    package var isReadOnly: Bool
    /// How many versions of it somebody has to decide about.
    package var conflicts: Int

    package init(
        identifier: String, name: String, kind: NodeAttributes.Kind, size: UInt64 = 0,
        modified: FileTime = FileTime(seconds: 0), version: String? = nil, formerVersion: String? = nil,
        isDownloaded: Bool = false, isPinned: Bool = false, target: String? = nil, isBegun: Bool = false,
        isLocal: Bool = false, isReadOnly: Bool = false, conflicts: Int = 0
    ) {
        self.identifier = identifier
        self.name = name
        self.kind = kind
        self.size = size
        self.modified = modified
        self.version = version
        self.formerVersion = formerVersion
        self.isDownloaded = isDownloaded
        self.isPinned = isPinned
        self.target = target
        self.isBegun = isBegun
        self.isLocal = isLocal
        self.isReadOnly = isReadOnly
        self.conflicts = conflicts
    }

    package init(_ item: DocumentItem) {
        self.init(
            identifier: item.reference.identifier, name: item.name,
            kind: item.isSymbolicLink ? .symbolicLink : item.isFolder ? .folder : .file,
            size: UInt64(max(0, item.size ?? 0)),
            modified: FileTime(item.modificationDate ?? item.creationDate ?? 0), version: item.version,
            formerVersion: item.formerVersion, isDownloaded: item.isDownloaded,
            isPinned: item.isPinned, target: item.symbolicLinkTarget?.identifier, conflicts: max(0, item.conflicts))
    }

    /// Whether everything but the name is the same as in an earlier state of the item.
    func looksLike(_ earlier: ViewItem) -> Bool {
        var renamed = self
        renamed.name = earlier.name
        return renamed == earlier
    }

    /// Whether the content is the same as that of an earlier state of the item. Without versions, size and date tell.
    func hasContent(of earlier: ViewItem) -> Bool {
        guard let version, let other = earlier.version else {
            return size == earlier.size && modified == earlier.modified
        }
        return version == other || formerVersion == other
    }
}
