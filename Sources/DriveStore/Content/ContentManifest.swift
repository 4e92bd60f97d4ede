/// Where the bytes of a version are: in the record itself, or in chunks.
package enum ContentManifest: Hashable, Sendable {
    /// A chunk, and how many bytes of the content it is.
    package struct Piece: Hashable, Sendable {
        package let chunk: ChunkIdentifier
        package let length: Int
    }

    /// The most bytes that a record carries.
    package static let maximumInline = 16 << 10
    /// The most chunks that a record names; a longer list is itself stored in chunks.
    package static let maximumPieces = 256

    case inline([UInt8])
    case pieces([Piece])
    /// The encoded list of pieces is the content of these chunks.
    case indirect([Piece])

    /// The encoding in a record.
    var value: CBOR {
        switch self {
        case .inline(let bytes): .array([.unsigned(0), .bytes(bytes)])
        case .pieces(let pieces): .array([.unsigned(1), .bytes(Self.encode(pieces))])
        case .indirect(let pieces): .array([.unsigned(2), .bytes(Self.encode(pieces))])
        }
    }

    init(_ value: CBOR) throws(DriveError) {
        let parts = try value.asArray(count: 2)
        let bytes = try parts[1].asBytes()
        switch try parts[0].asUnsigned() {
        case 0: self = .inline(bytes)
        case 1: self = .pieces(try Self.decode(bytes))
        case 2: self = .indirect(try Self.decode(bytes))
        default: throw .malformed("A manifest has a kind that does not occur.")
        }
    }

    /// The list of pieces as bytes: 32 of the identifier, 4 of the length, the most significant first.
    static func encode(_ pieces: [Piece]) -> [UInt8] {
        pieces.flatMap { piece in
            piece.chunk.bytes
                + (0..<4).map { UInt8(truncatingIfNeeded: UInt32(clamping: piece.length) >> (24 - $0 * 8)) }
        }
    }

    static func decode(_ bytes: [UInt8]) throws(DriveError) -> [Piece] {
        guard bytes.count.isMultiple(of: 36) else { throw .malformed("A list of chunks is cut off.") }
        var pieces: [Piece] = []
        for start in stride(from: 0, to: bytes.count, by: 36) {
            let length = bytes[start + 32..<start + 36].reduce(0) { $0 << 8 | Int($1) }
            guard (1...Chunker.maximum).contains(length) else { throw .malformed("A chunk has an impossible length.") }
            pieces.append(Piece(chunk: ChunkIdentifier(bytes: Array(bytes[start..<start + 32])), length: length))
        }
        return pieces
    }
}
