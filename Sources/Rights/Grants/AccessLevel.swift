/// A client's access to a document. Reading and writing includes reading.
package enum AccessLevel: String, Hashable, Sendable, Codable, Comparable {
    /// Reading content and metadata.
    case read
    /// Reading, and replacing the content.
    case readWrite

    /// Less access compares as smaller.
    package static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left == .read && right == .readWrite
    }
}
