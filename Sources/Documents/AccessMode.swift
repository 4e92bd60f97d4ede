/// What a grant allows.
public enum AccessMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reading only.
    case read
    /// Reading and writing.
    case readWrite
}
