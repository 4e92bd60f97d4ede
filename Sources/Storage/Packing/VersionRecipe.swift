import CLinux
import Cryptography

/// What a packed version consists of: its chunks, in order. A file of its own beside the other kept files, under the
/// name of the version with a prefix.
///
/// 16 bytes that say what it is; the date and the size, 8 bytes each; 36 bytes for each chunk, its digest and its
/// length; the SHA-256 of all that. Numbers are big-endian.
struct VersionRecipe: Hashable, Sendable {
    /// A chunk at its place in the content.
    struct Piece: Hashable, Sendable {
        var digest: ChunkDigest
        /// In bytes.
        var length: Int
    }

    /// The most bytes of a recipe.
    static let largest: UInt64 = 8 << 20

    private static let mark = Array("docent recipe 1\n".utf8)
    private static let namePrefix = ".recipe-"
    private static let pieceLength = ChunkDigest.count + 4

    /// The date of the content, in nanoseconds since 1970.
    var modified: Int64
    /// The chunks, in order.
    var pieces: [Piece]

    /// The size of the content, in bytes.
    var size: UInt64 { pieces.reduce(0) { $0 + UInt64($1.length) } }

    /// The chunks, each once.
    var chunks: Set<ChunkDigest> { Set(pieces.map(\.digest)) }

    // MARK: Names

    /// The name of the recipe of a kept file.
    ///
    /// - Throws: `.badName` if that name is too long; such a file is not packed.
    static func name(for file: FileName) throws -> FileName {
        guard let name = FileName(bytes: Array(namePrefix.utf8) + file.bytes) else {
            throw FileSystemError(.badName, "The name of the version is too long to be packed.")
        }
        return name
    }

    /// The kept file that a recipe is for; nil if the name is not that of a recipe.
    static func file(of name: FileName) -> FileName? {
        guard name.bytes.starts(with: namePrefix.utf8) else { return nil }
        return FileName(bytes: name.bytes.dropFirst(namePrefix.utf8.count))
    }

    // MARK: Bytes

    /// The bytes of its file.
    var encoded: [UInt8] {
        var bytes = Self.mark + Self.encode(UInt64(bitPattern: modified), 8) + Self.encode(size, 8)
        bytes.reserveCapacity(bytes.count + pieces.count * Self.pieceLength + ChunkDigest.count)
        for piece in pieces { bytes += piece.digest.bytes + Self.encode(UInt64(piece.length), 4) }
        return bytes + SHA256.digest(of: bytes).bytes
    }

    init(modified: Int64, pieces: [Piece]) {
        self.modified = modified
        self.pieces = pieces
    }

    /// Reads the bytes of a recipe.
    ///
    /// - Throws: `.corrupt`.
    init(decoding bytes: [UInt8]) throws {
        let start = Self.mark.count + 16
        let end = bytes.count - ChunkDigest.count
        guard bytes.starts(with: Self.mark), end >= start, (end - start).isMultiple(of: Self.pieceLength),
            SHA256.digest(of: Array(bytes[..<end])).bytes.elementsEqual(bytes[end...])
        else { throw Self.damaged }
        modified = Int64(bitPattern: Self.decode(bytes[Self.mark.count..<Self.mark.count + 8]))
        pieces = stride(from: start, to: end, by: Self.pieceLength).map { at in
            let middle = at + ChunkDigest.count
            return Piece(
                digest: ChunkDigest(bytes[at..<middle]), length: Int(Self.decode(bytes[middle..<middle + 4])))
        }
        guard pieces.allSatisfy({ (1...FileCutter.maximum).contains($0.length) }),
            size == Self.decode(bytes[start - 8..<start])
        else { throw Self.damaged }
    }

    private static var damaged: FileSystemError {
        FileSystemError(.corrupt, "The list of the parts of a kept version is damaged.")
    }

    /// Reads the recipe of a kept file.
    ///
    /// - Returns: nil if it has none.
    /// - Throws: `.corrupt`; the failure of a system call.
    static func read(of file: FileName, in folder: Directory) throws -> VersionRecipe? {
        let name = try name(for: file)
        guard let status = try folder.status(of: name) else { return nil }
        guard status.kind == .regular, status.size <= largest else { throw damaged }
        return try VersionRecipe(decoding: try folder.open(name).beginning(Int(status.size)))
    }

    private static func encode(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
