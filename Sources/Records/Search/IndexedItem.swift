package import Rights

/// The facts of an item that can be searched.
package struct IndexedItem: Hashable, Sendable {
    /// Provider, domain and identifier.
    package var key: ItemKey
    /// The identifier of its folder; empty for the top folder.
    package var parent: String
    /// The name.
    package var name: String
    /// The uniform type identifier.
    package var contentType: String
    /// The size in bytes; nil for folders and when unknown.
    package var size: Int64?
    /// Seconds since 1970; nil when unknown.
    package var modified: Double?
    /// Whether it can have children.
    package var isFolder: Bool
    /// Whether its content is on this machine.
    package var isDownloaded: Bool
    /// Whether its content is always kept on this machine.
    package var isPinned: Bool
    /// Whether it has changes that its provider does not have.
    package var isUnsent: Bool
    /// Whether it is a symbolic link.
    package var isLink: Bool

    /// Creates the facts of an item.
    package init(
        key: ItemKey, parent: String, name: String, contentType: String, size: Int64? = nil, modified: Double? = nil,
        isFolder: Bool = false, isDownloaded: Bool = false, isPinned: Bool = false, isUnsent: Bool = false,
        isLink: Bool = false
    ) {
        self.key = key
        self.parent = parent
        self.name = name
        self.contentType = contentType
        self.size = size
        self.modified = modified
        self.isFolder = isFolder
        self.isDownloaded = isDownloaded
        self.isPinned = isPinned
        self.isUnsent = isUnsent
        self.isLink = isLink
    }

    /// Whether the index can store it: SQLite ends a text at a NUL.
    package var isStorable: Bool {
        key.isStorable && parent.isStorable && name.isStorable && contentType.isStorable
    }
}
