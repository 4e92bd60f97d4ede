/// The values that a client had embedded in a bookmark, as they were at that moment.
package struct EmbeddedValues: Hashable, Sendable, Codable {
    /// The values that can be embedded.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        /// The file name.
        case name
        /// The uniform type identifier.
        case contentType
        /// The size in bytes.
        case size
        /// When the content was last changed.
        case modificationDate
        /// When the document was created.
        case creationDate
        /// Its path from the top of its provider.
        case path
    }

    /// The file name.
    package var name: String?
    /// The uniform type identifier.
    package var contentType: String?
    /// The size in bytes.
    package var size: Int?
    /// Seconds since 1970.
    package var modificationDate: Double?
    /// Seconds since 1970.
    package var creationDate: Double?
    /// Its path, as `/folder/name`.
    package var path: String?

    /// Nothing embedded.
    package init() {}
}
