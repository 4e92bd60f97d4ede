/// Which chunks are used, by how many recipes, and how much space all of them take. Only in memory: it is read from the
/// recipes, so it cannot be wrong after a crash.
struct ChunkBooks {
    private struct Entry {
        var uses: UInt32 = 0
        /// 0 while there is no file.
        var size: UInt32 = 0
    }

    private var entries: [ChunkDigest: Entry] = [:]
    /// The space of all chunks, in bytes, including those of recipes that cannot be read.
    private(set) var bytes: UInt64 = 0

    /// Whether a recipe uses a chunk.
    func isUsed(_ digest: ChunkDigest) -> Bool { (entries[digest]?.uses ?? 0) > 0 }

    /// One more recipe uses a chunk.
    ///
    /// - Returns: whether it is the first.
    mutating func retain(_ digest: ChunkDigest) -> Bool {
        entries[digest, default: Entry()].uses += 1
        return entries[digest]?.uses == 1
    }

    /// A chunk has a file of some size.
    mutating func note(_ digest: ChunkDigest, size: UInt64) {
        let before = entries[digest, default: Entry()].size
        entries[digest, default: Entry()].size = UInt32(clamping: size)
        bytes = bytes + UInt64(UInt32(clamping: size)) - UInt64(before)
    }

    /// One recipe less uses a chunk.
    ///
    /// - Returns: whether it was the last, so that the file of the chunk is no longer needed.
    mutating func release(_ digest: ChunkDigest) -> Bool {
        guard var entry = entries[digest], entry.uses > 0 else { return false }
        entry.uses -= 1
        entries[digest] = entry
        return entry.uses == 0
    }

    /// The file of an unused chunk is gone.
    mutating func forget(_ digest: ChunkDigest) {
        guard let entry = entries[digest], entry.uses == 0 else { return }
        bytes -= UInt64(entry.size)
        entries[digest] = nil
    }
}
