package import FoundationEssentials
package import Rights

/// An item of a remote provider as the index has it: what the provider said last, and what is kept of it here.
package struct RemoteItem: Hashable, Sendable {
    /// Provider, domain and identifier.
    package var key: ItemKey
    /// What the provider says; of a provisional item, what we shall ask for.
    package var description: ItemDescription
    /// When the provider last said so; nil when it never did.
    package var checked: Date?
    /// Of a folder: when a complete listing was last taken in.
    package var listed: Date?
    /// Made here; the provider does not know it yet.
    package var isProvisional: Bool
    /// Of a document: the copy on disk.
    package var local: LocalCopy?
    /// Kept on this machine by the user's wish.
    package var isPinned: Bool
    /// When somebody here last used it.
    package var lastUsed: Date?

    /// Makes an item.
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
    /// The remote version that it holds; `local-<operation>` for a save of ours that is not sent.
    package var version: String?
    /// Bytes.
    package var size: Int64

    /// Makes a copy's record.
    package init(name: String, version: String?, size: Int64) {
        self.name = name
        self.version = version
        self.size = size
    }
}
