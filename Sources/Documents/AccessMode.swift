/// What a grant allows.
public enum AccessMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reading alone.
    case read
    /// Reading and writing.
    case readWrite
}
