package import FoundationEssentials

/// The content of a sealed bookmark; only the daemon can read it.
package struct BookmarkContent: Hashable, Sendable, Codable {
    /// The document, under its identifier at that time.
    package var item: ItemKey
    /// The most access that the bookmark restores.
    package var access: AccessLevel
    /// When it was made.
    package var created: Date
    /// The document's name at that time; a different name makes the bookmark stale (G5).
    package var name: String
    /// The identifier of the document's folder at that time; a different one makes the bookmark stale.
    package var parent: String?
    /// The values that the client had embedded.
    package var values: EmbeddedValues
    /// The folder that must be given on resolution.
    package var relativeTo: ItemKey?

    /// Makes the content of a bookmark.
    package init(
        item: ItemKey, access: AccessLevel, created: Date = .now, name: String, parent: String? = nil,
        values: EmbeddedValues = EmbeddedValues(), relativeTo: ItemKey? = nil
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
