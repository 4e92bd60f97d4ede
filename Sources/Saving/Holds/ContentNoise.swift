import Glibc

/// Whether a save turns a document into what looks like random data, as a program does that encrypts documents to hold
/// them to ransom. Decided by the first bytes before and after. Pure.
///
/// A document of a known type, which may itself be compressed or encrypted inside, turns into noise when it begins like
/// no known type afterwards, and its bytes are spread as evenly as random ones. What began like no known type before,
/// such as a document that the user keeps encrypted, cannot turn into noise.
package enum ContentNoise {
    /// How many bytes are looked at.
    package static let sample = 4_096
    /// Fewer bytes say nothing.
    package static let fewest = 512
    /// The entropy in bits for each byte from which on a whole sample is noise.
    static let threshold = 7.9

    /// Whether the content turns from its type to noise.
    ///
    /// - Parameters:
    ///   - before: the first ``sample`` bytes of the content that is replaced.
    ///   - after: the first bytes of the content that replaces it.
    package static func turns(_ before: [UInt8], into after: [UInt8]) -> Bool {
        (hasSignature(before) || isText(before)) && !hasSignature(after) && isNoise(after)
    }

    /// Whether bytes are spread as evenly as random ones.
    static func isNoise(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= fewest else { return false }
        guard bytes.count < sample else { return entropy(bytes) >= threshold }
        // Of n random bytes it is about 8 - 255 / (2 n ln 2); for few of them that is a little too much.
        let expected = 8 - 255 / (2 * Double(bytes.count) * log(2))
        return entropy(bytes) >= expected - (bytes.count < 1_024 ? 0.2 : 0.1)
    }

    /// The entropy in bits for each byte, 0 to 8.
    static func entropy(_ bytes: [UInt8]) -> Double {
        guard !bytes.isEmpty else { return 0 }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        return counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }

    /// Whether bytes are the beginning of a text: nearly all of them are printable, or it is one of 16-bit characters.
    static func isText(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return false }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        guard !bytes.contains(0) else { return false }
        let plain = bytes.count { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
        if plain * 100 >= bytes.count * 85 { return true }
        // A text in another script; the last character may be cut off.
        return (0...3).contains { cut in
            String(validating: bytes.dropLast(cut), as: UTF8.self) != nil && plain * 100 >= bytes.count * 5
        }
    }

    /// Whether bytes begin like a file of a known type.
    static func hasSignature(_ bytes: [UInt8]) -> Bool {
        signatures.contains { offset, signature in bytes.dropFirst(offset).starts(with: signature) }
    }

    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        // Documents, and archives of all kinds: PDF, zip and everything in a zip, OLE, RTF, PostScript, SQLite.
        (0, Array("%PDF".utf8)), (0, [0x50, 0x4B, 0x03, 0x04]), (0, [0x50, 0x4B, 0x05, 0x06]),
        (0, [0xD0, 0xCF, 0x11, 0xE0]), (0, Array("{\\rtf".utf8)), (0, Array("%!PS".utf8)),
        (0, Array("SQLite format 3".utf8)), (0, [0x1F, 0x8B, 0x08]), (0, Array("BZh".utf8)),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (0, [0x28, 0xB5, 0x2F, 0xFD]), (0, [0x04, 0x22, 0x4D, 0x18]),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]), (0, Array("Rar!".utf8)), (257, Array("ustar".utf8)),
        (0, Array("AT&TFORM".utf8)), (0, Array("wOFF".utf8)), (0, Array("wOF2".utf8)), (0, Array("OTTO".utf8)),
        (0, [0x00, 0x01, 0x00, 0x00, 0x00]), (0, [0x7F, 0x45, 0x4C, 0x46]), (0, Array("!<arch>".utf8)),
        // Pictures, sound, films.
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]), (0, [0xFF, 0xD8, 0xFF]), (0, Array("GIF8".utf8)),
        (0, [0x49, 0x49, 0x2A, 0x00]), (0, [0x4D, 0x4D, 0x00, 0x2A]), (0, Array("8BPS".utf8)),
        (0, Array("gimp xcf".utf8)), (0, [0x42, 0x4D]), (0, Array("RIFF".utf8)), (0, Array("OggS".utf8)),
        (0, Array("fLaC".utf8)), (0, Array("ID3".utf8)), (4, Array("ftyp".utf8)), (4, Array("moov".utf8)),
        (0, [0x1A, 0x45, 0xDF, 0xA3]), (0, [0xFF, 0x4F, 0xFF, 0x51]), (4, Array("JXL ".utf8)), (0, [0xFF, 0x0A]),
        (0, Array("II*".utf8)), (0, [0x00, 0x00, 0x01, 0xBA]), (0, [0xFF, 0xFB]), (0, [0xFF, 0xF1]),
    ]
}
