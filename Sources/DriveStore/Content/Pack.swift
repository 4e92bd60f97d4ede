/// A pack: sealed chunks one after the other, and random bytes up to its padded size, so that the store sees neither
/// where a chunk begins nor how much is padding.
package struct Pack: Sendable {
    /// The most bytes of sealed chunks in one pack; a chunk that does not fit any more goes into the next.
    package static let maximum = 8 << 20
    private static let version: UInt8 = 1
    private static let headSize = 17

    /// Its identifier, of which its name in the store is made.
    package private(set) var identifier = DriveIdentifier.random()
    /// The chunks in it, with where they are.
    package private(set) var entries: [(chunk: ChunkIdentifier, offset: Int, length: Int)] = []
    private var bytes: [UInt8]
    private let keys: DriveKeys
    private let key: [UInt8]

    /// An empty pack of the current epoch.
    package init(_ keys: DriveKeys) throws(DriveError) {
        self.keys = keys
        key = try keys.key(.chunk, epoch: keys.epoch)
        bytes = [Self.version] + keys.epoch.bytes
    }

    /// The epoch whose key seals its chunks.
    var epoch: DriveIdentifier { keys.epoch }

    /// Whether a chunk of that many plain bytes still fits; the first one always does.
    package func hasRoom(for count: Int) -> Bool {
        entries.isEmpty || bytes.count + count + Self.chunkOverhead <= Self.maximum
    }

    private static let chunkOverhead = Sodium.nonceSize + Sodium.overhead + 1

    /// Adds a chunk.
    package mutating func add(_ plain: [UInt8], _ chunk: ChunkIdentifier) {
        // The first byte names the compression: 0 for none, the only one of version 1.
        let sealed = Sodium.seal([0] + plain, key: key)
        entries.append((chunk, bytes.count, sealed.count))
        bytes += sealed
    }

    /// The same under another name.
    func renamed() -> Pack {
        var other = self
        other.identifier = .random()
        return other
    }

    /// The object for the store.
    package var object: [UInt8] { bytes + Sodium.random(max(0, Padme.size(of: bytes.count) - bytes.count)) }

    /// Opens one sealed chunk.
    ///
    /// - Throws: ``DriveError/tampered(_:)`` when a bit is different or it is another chunk.
    static func open(
        _ sealed: [UInt8], _ chunk: ChunkIdentifier, epoch: DriveIdentifier, keys: DriveKeys
    ) throws(DriveError) -> [UInt8] {
        guard let plain = Sodium.open(sealed, key: try keys.key(.chunk, epoch: epoch)), plain.first == 0 else {
            throw .tampered("A chunk was changed.")
        }
        let content = Array(plain.dropFirst())
        guard ChunkIdentifier(of: content, keys: keys) == chunk else {
            throw .tampered("Another chunk stands in the place of one.")
        }
        return content
    }
}
