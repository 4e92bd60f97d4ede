import ContentChunking

/// Cuts content into the chunks of a drive.
package struct Chunker: Sendable {
    /// No chunk but the last is smaller.
    package static let minimum = 256 << 10
    /// What most chunks are close to.
    package static let average = 1 << averageBits
    /// No chunk is larger.
    package static let maximum = 4 << 20

    private static let averageBits = 20
    private let cutter: ContentCutter

    /// - Parameter keys: The drive's keys: without them nobody knows where chunks end.
    package init(_ keys: DriveKeys) {
        let bytes = Sodium.expand(keys.chunkerSeed, to: 2048)
        let table: [UInt64] = (0..<256).map { entry in
            (0..<8).reduce(0) { $0 | UInt64(bytes[entry * 8 + $1]) << UInt64($1 * 8) }
        }
        cutter = ContentCutter(
            minimum: Self.minimum, averageBits: Self.averageBits, maximum: Self.maximum, table: table)
    }

    /// The length of the first chunk of the bytes, which are all that is left or at least ``maximum``.
    package func firstLength(_ bytes: UnsafeRawBufferPointer) -> Int { cutter.firstLength(bytes) }

    /// The lengths of all chunks of the bytes.
    package func lengths(_ bytes: [UInt8]) -> [Int] { cutter.lengths(bytes) }
}
