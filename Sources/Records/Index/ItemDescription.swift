import Rights

/// A provider's description of an item: the facts of its listing, without local state.
package struct ItemDescription: Hashable, Sendable, Codable {
    /// The persistent identifier within the domain (F1).
    package var identifier: String
    /// The identifier of its folder.
    package var parent: String
    /// The name, any text without NUL.
    package var name: String
    /// A uniform type identifier; nil when the provider does not know it.
    package var contentType: String?
    /// The size in bytes; nil when unknown.
    package var size: Int64?
    /// Seconds since 1970.
    package var modificationDate: Double?
    /// Seconds since 1970.
    package var creationDate: Double?
    /// Whether it can have children.
    package var isFolder: Bool
    /// Opaque; changes with the content.
    package var version: String?
    /// The permitted actions, by name; nil when the provider does not report them.
    package var capabilities: [String]?
    /// The reference for requesting a thumbnail (E4); nil without one.
    package var thumbnail: String?
    /// For a symbolic link: the identifier of its target (2.3).
    package var symbolicLinkTarget: String?
    /// Whether the folder treats names that differ only in case as equal.
    package var ignoresCase: Bool

    /// Creates a description.
    package init(
        identifier: String, parent: String, name: String, contentType: String? = nil, size: Int64? = nil,
        modificationDate: Double? = nil, creationDate: Double? = nil, isFolder: Bool = false, version: String? = nil,
        capabilities: [String]? = nil, thumbnail: String? = nil, symbolicLinkTarget: String? = nil,
        ignoresCase: Bool = false
    ) {
        self.identifier = identifier
        self.parent = parent
        self.name = name
        self.contentType = contentType
        self.size = size
        self.modificationDate = modificationDate
        self.creationDate = creationDate
        self.isFolder = isFolder
        self.version = version
        self.capabilities = capabilities
        self.thumbnail = thumbnail
        self.symbolicLinkTarget = symbolicLinkTarget
        self.ignoresCase = ignoresCase
    }

    /// Whether the index can store it: it has an identifier, and no text contains a NUL, where SQLite would end it.
    package var isStorable: Bool {
        !identifier.isEmpty && identifier.isStorable && parent.isStorable && name.isStorable
            && [contentType, version, thumbnail, symbolicLinkTarget].allSatisfy { $0?.isStorable ?? true }
            && (capabilities?.allSatisfy(\.isStorable) ?? true)
    }

    /// Whether the content differs from before. Compares the versions, or without versions the size and date.
    func hasOtherContent(than before: ItemDescription) -> Bool {
        switch (version, before.version) {
        case (let new?, let old?): !new.isSame(as: old)
        case (nil, nil): size != before.size || modificationDate != before.modificationDate
        default: true
        }
    }
}
