/// Pictures for tests.
package enum TestPicture {
    /// A PNG of this size: its structure is right, and its pixels are `pixels`, whatever they are.
    ///
    /// - Parameter extra: chunks after the first one.
    package static func png(
        _ width: Int, _ height: Int, pixels: [UInt8] = [1, 2, 3], extra: [(type: String, data: [UInt8])] = []
    ) -> [UInt8] {
        let header = number(width) + number(height) + [8, 6, 0, 0, 0]
        let chunks = [("IHDR", header)] + extra.map { ($0.type, $0.data) } + [("IDAT", pixels), ("IEND", [])]
        return signature + chunks.flatMap { chunk($0.0, $0.1) }
    }

    /// The first bytes of every PNG.
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A chunk with its length and checksum.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return number(data.count) + body + number(Int(checksum(body)))
    }

    /// A number in four bytes.
    package static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    // Bit by bit, so that it shares nothing with what is tested.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = ~UInt32(0)
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
