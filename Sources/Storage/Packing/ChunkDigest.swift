import Cryptography

/// The name of a chunk: the SHA-256 of its bytes.
struct ChunkDigest: Hashable, Sendable {
    /// The number of bytes of a digest.
    static let count = 32
    // There may be many of them in memory.
    private let words: SIMD4<UInt64>

    /// Digests the bytes of a chunk.
    init(of bytes: UnsafeRawBufferPointer) {
        var digest = SHA256()
        digest.update(bytes)
        self.init(digest.finish().bytes)
    }

    /// Takes the 32 bytes of a digest.
    init(_ bytes: some Collection<UInt8>) {
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.prefix(Self.count).enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.words = words
    }

    /// The digest in the name of a file; nil if it is the name of something else.
    init?(_ name: FileName) {
        guard name.bytes.count == 2 * Self.count else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: name.bytes.count, by: 2) {
            guard let high = Self.value(name.bytes[index]), let low = Self.value(name.bytes[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(bytes)
    }

    /// The 32 bytes.
    var bytes: [UInt8] {
        (0..<Self.count).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// The name of its file: 64 lower-case hexadecimal digits.
    var name: FileName { FileName(unchecked: Self.text(bytes)) }

    /// The name of the folder of its file.
    var folder: FileName { FileName(unchecked: Self.text(bytes.prefix(1))) }

    private static func text(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
