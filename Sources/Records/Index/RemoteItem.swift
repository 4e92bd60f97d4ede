package import FoundationEssentials
package import Rights

/// An item of a remote provider in the index: the provider's last description, and the local state.
package struct RemoteItem: Hashable, Sendable {
    /// Provider, domain and identifier.
    package var key: ItemKey
    /// The provider's description; for a provisional item, the one that will be requested.
    package var description: ItemDescription
    /// When the provider last confirmed the description; nil when it never did.
    package var checked: Date?
    /// For a folder: when a complete listing was last stored.
    package var listed: Date?
    /// Whether it was created here and is not known to the provider yet.
    package var isProvisional: Bool
    /// For a document: the copy on disk.
    package var local: LocalCopy?
    /// Whether the user wants it kept on this machine.
    package var isPinned: Bool
    /// When it was last used here.
    package var lastUsed: Date?

    /// Creates an item.
    package init(
        key: ItemKey, description: ItemDescription, checked: Date? = nil, listed: Date? = nil,
        isProvisional: Bool = false, local: LocalCopy? = nil, isPinned: Bool = false, lastUsed: Date? = nil
    ) {
        self.key = key
        self.description = description
        self.checked = checked
        self.listed = listed
        self.isProvisional = isProvisional
        self.local = local
        self.isPinned = isPinned
        self.lastUsed = lastUsed
    }
}

/// The copy of a document on this machine.
package struct LocalCopy: Hashable, Sendable {
    /// The file's name in the item's folder.
    package var name: String
    /// The remote version that it holds; `local-<operation>` for a local save that is not sent.
    package var version: String?
    /// The size in bytes.
    package var size: Int64

    /// Creates a record of a copy.
    package init(name: String, version: String?, size: Int64) {
        self.name = name
        self.version = version
        self.size = size
    }
}
