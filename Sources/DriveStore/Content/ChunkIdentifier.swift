/// The keyed hash of a chunk's plain bytes: equal chunks of a drive have one, and nobody without the drive's key can
/// compute it.
package struct ChunkIdentifier: Hashable, Comparable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The identifier of a chunk.
    package init(of plain: some Collection<UInt8>, keys: DriveKeys) { bytes = Sodium.hash(plain, key: keys.chunkKey) }

    package static func < (left: ChunkIdentifier, right: ChunkIdentifier) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
