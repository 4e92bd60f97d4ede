/// Numbers that follow from texts, the same in every process and version. Pure.
package enum StableNumber {
    /// A number of 63 bits, at least 16: FNV-1a of the texts, each with its length.
    package static func of(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) {
            hash ^= UInt64(byte)
            hash &*= 0x0000_0100_0000_01b3
        }
        for text in texts {
            for byte in text.utf8 { add(byte) }
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { $0.forEach(add) }
        }
        // Mixed once more: FNV leaves the upper bits of short texts much alike.
        hash ^= hash >> 32
        hash &*= 0xd6e8_feb8_6659_fd93
        hash ^= hash >> 32
        return max(hash >> 1, 16)
    }
}
