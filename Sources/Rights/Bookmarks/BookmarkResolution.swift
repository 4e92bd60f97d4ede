/// The result of resolving a bookmark.
package struct BookmarkResolution: Hashable, Sendable {
    /// The document.
    package let item: ItemKey
    /// The access that the bookmark grants.
    package let access: AccessLevel
    /// Whether the document's identifier changed after the bookmark was made; the client should make a new one.
    package let isStale: Bool
}
