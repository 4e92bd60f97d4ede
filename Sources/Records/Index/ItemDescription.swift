import Rights

/// What a provider says of an item: the facts of its listing, without anything that is known here only.
package struct ItemDescription: Hashable, Sendable {
    /// The persistent identifier within the domain (F1).
    package var identifier: String
    /// The identifier of the folder that it is in.
    package var parent: String
    /// The name, any text without NUL.
    package var name: String
    /// A uniform type identifier, where the provider knows one.
    package var contentType: String?
    /// Bytes, where known.
    package var size: Int64?
    /// Seconds since 1970.
    package var modificationDate: Double?
    /// Seconds since 1970.
    package var creationDate: Double?
    /// Whether it can have children.
    package var isFolder: Bool
    /// Opaque; changes with the content.
    package var version: String?
    /// What may be done with it, as words; nil where the provider does not say.
    package var capabilities: [String]?
    /// What to ask for to get a thumbnail (E4).
    package var thumbnail: String?
    /// The identifier that it leads to as a symbolic link (2.3).
    package var symbolicLinkTarget: String?
    /// Whether names in the folder that differ in case alone are one.
    package var ignoresCase: Bool

    /// Makes a description.
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

    /// Whether the index can keep it: with an identifier, and nowhere a NUL, at which SQLite would end the text.
    package var isStorable: Bool {
        !identifier.isEmpty && identifier.isStorable && parent.isStorable && name.isStorable
            && [contentType, version, thumbnail, symbolicLinkTarget].allSatisfy { $0?.isStorable ?? true }
            && (capabilities?.allSatisfy(\.isStorable) ?? true)
    }

    /// Whether the content is another one than before: the version tells, or without versions size and date.
    func hasOtherContent(than before: ItemDescription) -> Bool {
        switch (version, before.version) {
        case (let new?, let old?): !new.isSame(as: old)
        case (nil, nil): size != before.size || modificationDate != before.modificationDate
        default: true
        }
    }
}
