package import FoundationEssentials

/// What a sealed bookmark holds, readable by the daemon alone.
package struct BookmarkContent: Hashable, Sendable, Codable {
    /// The document under the identifier that it had.
    package var item: ItemKey
    /// The most that the bookmark brings back.
    package var access: AccessLevel
    /// When it was made.
    package var created: Date
    /// The document's name then; another one makes the bookmark stale (G5).
    package var name: String
    /// The identifier of the folder that the document lay in; another one makes the bookmark stale.
    package var parent: String?
    /// What the client had embedded.
    package var values: BookmarkValues
    /// The folder that must be given to resolve it (G4).
    package var relativeTo: ItemKey?

    /// Makes one.
    package init(
        item: ItemKey, access: AccessLevel, created: Date = .now, name: String, parent: String? = nil,
        values: BookmarkValues = BookmarkValues(), relativeTo: ItemKey? = nil
    ) {
        self.item = item
        self.access = access
        self.created = created.stored
        self.name = name
        self.parent = parent
        self.values = values
        self.relativeTo = relativeTo
    }
}
