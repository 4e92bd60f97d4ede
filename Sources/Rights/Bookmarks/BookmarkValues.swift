/// What a client had embedded in a bookmark (G4), as it was at that moment.
package struct BookmarkValues: Hashable, Sendable, Codable {
    /// What can be embedded.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        /// The file name.
        case name
        /// The uniform type identifier.
        case contentType
        /// Bytes.
        case size
        /// When the content was changed last.
        case modificationDate
        /// When it was made.
        case creationDate
        /// Where it lay, from the top of its provider.
        case path
    }

    /// The file name.
    package var name: String?
    /// The uniform type identifier.
    package var contentType: String?
    /// Bytes.
    package var size: Int?
    /// Seconds since 1970.
    package var modificationDate: Double?
    /// Seconds since 1970.
    package var creationDate: Double?
    /// Where it lay, as `/folder/name`.
    package var path: String?

    /// Nothing embedded.
    package init() {}
}
