/// Where a sealed chunk is.
package struct ChunkPlace: Hashable, Sendable {
    package let pack: DriveIdentifier
    let epoch: DriveIdentifier
    package let offset: Int
    package let length: Int
}
