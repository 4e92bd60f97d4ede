/// A PNG whose structure was checked. Nothing in it is decoded: what the pixels are, only the program that shows them
/// finds out.
///
/// It comes from a provider or from a program that has read a hostile document. So only the chunks that every reader
/// needs are kept; compressed texts, colour profiles and animations are left out, and with them what a reader would
/// have to decompress without a limit.
package struct PNGPicture: Sendable, Hashable {
    private struct Chunk: Hashable {
        let type: String
        let data: [UInt8]
    }

    /// The most bytes of a picture.
    package static let mostBytes = 4 << 20

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let kept: Set = ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT"]
    // Depths of each colour type.
    private static let depths: [UInt8: Set<UInt8>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// The size in pixels.
    package let width: Int
    package let height: Int
    /// Its texts by keyword, the first one of each.
    package let texts: [String: String]
    private let chunks: [Chunk]

    /// Checks a picture. What follows its end is ignored.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - most: the most pixels of each side.
    /// - Returns: nil if it is no whole PNG, or too large.
    package init?(_ bytes: [UInt8], most: Int) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var position = Self.signature.count
        var (chunks, texts): ([Chunk], [String: String]) = ([], [:])
        var size: (width: Int, height: Int)?
        var (hasPixels, hasEnd) = (false, false)
        while !hasEnd {
            guard let (type, data) = Self.chunk(of: bytes, at: &position) else { return nil }
            switch type {
            case "IHDR":
                guard size == nil, let found = Self.size(data, most: most) else { return nil }
                size = found
                chunks.append(Chunk(type: type, data: Array(data)))
            case _ where size == nil: return nil
            case "IEND": hasEnd = true
            case "tEXt":
                if let (keyword, text) = Self.text(data), texts[keyword] == nil { texts[keyword] = text }
            case _ where Self.kept.contains(type):
                hasPixels = hasPixels || type == "IDAT"
                chunks.append(Chunk(type: type, data: Array(data)))
            default:
                // A capital letter first: without it the picture cannot be shown.
                guard type.utf8.first.map({ $0 & 0x20 != 0 }) ?? false else { return nil }
            }
        }
        guard hasPixels, let size else { return nil }
        (width, height) = size
        (self.chunks, self.texts) = (chunks, texts)
    }

    /// The file with these texts, and no others.
    ///
    /// - Parameter texts: Latin-1 by keyword; a character that it lacks becomes a question mark.
    package func encoded(texts: [(keyword: String, text: String)]) -> [UInt8] {
        var bytes = Self.signature
        for chunk in chunks {
            Self.append(chunk.type, chunk.data, to: &bytes)
            guard chunk.type == "IHDR" else { continue }
            for (keyword, text) in texts {
                Self.append("tEXt", Self.latin(keyword) + [0] + Self.latin(text), to: &bytes)
            }
        }
        Self.append("IEND", [], to: &bytes)
        return bytes
    }

    // MARK: Parts

    private static func chunk(of bytes: [UInt8], at position: inout Int) -> (type: String, data: ArraySlice<UInt8>)? {
        guard bytes.count - position >= 12 else { return nil }
        let length = Int(number(bytes, position))
        guard length <= bytes.count - position - 12 else { return nil }
        let name = bytes[position + 4..<position + 8]
        guard name.allSatisfy({ (0x41...0x5A).contains($0 & ~0x20) }) else { return nil }
        let end = position + 8 + length
        guard number(bytes, end) == ChunkChecksum.of(bytes[position + 4..<end]) else { return nil }
        defer { position = end + 4 }
        return (String(decoding: name, as: UTF8.self), bytes[position + 8..<end])
    }

    private static func size(_ data: ArraySlice<UInt8>, most: Int) -> (Int, Int)? {
        let data = Array(data)
        guard data.count == 13 else { return nil }
        let (width, height) = (Int(number(data, 0)), Int(number(data, 4)))
        guard (1...most).contains(width), (1...most).contains(height), depths[data[9]]?.contains(data[8]) ?? false,
            data[10] == 0, data[11] == 0, data[12] <= 1
        else { return nil }
        return (width, height)
    }

    private static func text(_ data: ArraySlice<UInt8>) -> (String, String)? {
        guard let end = data.firstIndex(of: 0), (1...79).contains(end - data.startIndex) else { return nil }
        func latin(_ bytes: ArraySlice<UInt8>) -> String {
            String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        return (latin(data[..<end]), latin(data[(end + 1)...]))
    }

    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0.value == 0 ? UInt8(ascii: "?") : UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }

    private static func append(_ type: String, _ data: [UInt8], to bytes: inout [UInt8]) {
        let body = Array(type.utf8) + data
        bytes += Self.bytes(UInt32(data.count)) + body + Self.bytes(ChunkChecksum.of(body))
    }

    private static func number(_ bytes: [UInt8], _ position: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[position + $1]) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
