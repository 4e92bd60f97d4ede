import FileProvider

/// The answer to `operations/about`. Each back end leaves out what it does not know.
struct RemoteSpace: Decodable, Sendable {
    let usage: StorageUsage

    private enum CodingKeys: String, CodingKey {
        case total, used, free
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Some services report -1, or more than there can be, for what has no limit.
        func bytes(_ key: CodingKeys) -> Int? {
            (try? container.decodeIfPresent(Int.self, forKey: key)).flatMap { $0 }.flatMap { $0 >= 0 ? $0 : nil }
        }
        usage = StorageUsage(totalBytes: bytes(.total), usedBytes: bytes(.used), availableBytes: bytes(.free))
    }
}
