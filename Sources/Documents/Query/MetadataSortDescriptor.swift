/// By what the results of a ``MetadataQuery`` are ordered.
public struct MetadataSortDescriptor: Sendable, Hashable {
    /// A fact of an item.
    public enum Key: Sendable, Hashable {
        /// How well the item fits; the best is the largest.
        case relevance
        /// The name, by its bytes after lowering the case.
        case name
        /// When it was changed; an unknown time is the smallest.
        case modificationDate
        /// The size; an unknown size is the smallest.
        case size
        /// The uniform type identifier.
        case contentType
    }

    /// The fact.
    public var key: Key
    /// Whether the smallest comes first.
    public var isAscending: Bool

    /// Creates a descriptor.
    public init(_ key: Key, ascending: Bool = true) {
        self.key = key
        isAscending = ascending
    }

    /// The best results first.
    public static let relevance = MetadataSortDescriptor(.relevance, ascending: false)

    /// Whether one result comes before another; nil if this fact does not decide.
    func isBefore(_ left: MetadataResult, _ right: MetadataResult) -> Bool? {
        switch key {
        case .relevance: compare(left.relevance, right.relevance)
        case .name: compare(left.item.name.lowercased(), right.item.name.lowercased())
        case .modificationDate:
            compare(left.item.modificationDate ?? -.infinity, right.item.modificationDate ?? -.infinity)
        case .size: compare(left.item.size ?? -1, right.item.size ?? -1)
        case .contentType: compare(left.item.contentType, right.item.contentType)
        }
    }

    private func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
        left == right ? nil : (left < right) == isAscending
    }
}
