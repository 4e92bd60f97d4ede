/// A fact whose values a query counts.
public enum MetadataValueKey: Sendable, Hashable {
    /// The provider's identifier.
    case provider
    /// The account, as `provider@domain`.
    case account
    /// The uniform type identifier.
    case contentType
}

/// How many results have a value.
public struct MetadataValueCount: Sendable, Hashable {
    /// The value.
    public let value: String
    /// The number of results.
    public let count: Int

    static func list(of key: MetadataValueKey, in results: [MetadataResult]) -> [MetadataValueCount] {
        var counts: [String: Int] = [:]
        for result in results {
            let reference = result.item.reference
            let value =
                switch key {
                case .provider: reference.provider
                case .account: reference.provider + (reference.domain.isEmpty ? "" : "@" + reference.domain)
                case .contentType: result.item.contentType
                }
            counts[value, default: 0] += 1
        }
        return counts.map { MetadataValueCount(value: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.value) < ($0.count, $1.value)
        }
    }
}
