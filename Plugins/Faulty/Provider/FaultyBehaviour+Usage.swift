import FileProvider

extension FaultyBehaviour {
    /// The size of the made-up account, in bytes.
    private var capacity: Int { 1 << 40 }

    func usage() async throws -> StorageUsage {
        try await core.trouble("usage")
        try allows(.usage, "usage")
        let script = core.script
        if script.strikes("usage.negative") { return StorageUsage(totalBytes: -1, usedBytes: .min) }
        if script.strikes("usage.nonsense") {
            return StorageUsage(totalBytes: 1, usedBytes: .max, availableBytes: .max)
        }
        let used = try core.tree.read { state in
            state.entries.values.reduce(0) { $0 + ($1.isFolder ? 0 : $1.size) }
        }
        return StorageUsage(totalBytes: capacity, usedBytes: used, availableBytes: max(0, capacity - used))
    }
}
