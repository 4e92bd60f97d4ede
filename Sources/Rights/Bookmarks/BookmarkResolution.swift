/// What a bookmark stands for (G5).
package struct BookmarkResolution: Hashable, Sendable {
    /// The document.
    package let item: ItemKey
    /// The access that the bookmark holds.
    package let access: AccessLevel
    /// Whether the document's identifier changed since the bookmark was made; the client should make a new one.
    package let isStale: Bool
}
