/// Cuts content where the content itself says so (FastCDC, Xia and others, 2016), so that an insertion changes one or
/// two chunks and not all that follow.
package struct Chunker: Sendable {
    /// No chunk but the last is smaller.
    package static let minimum = 256 << 10
    /// What most chunks are close to.
    package static let average = 1 << 20
    /// No chunk is larger.
    package static let maximum = 4 << 20

    private static let strictMask: UInt64 = ((1 << 22) - 1) << 42
    private static let looseMask: UInt64 = ((1 << 18) - 1) << 46

    private let table: [UInt64]

    /// - Parameter keys: The drive's keys: without them nobody knows where chunks end.
    package init(_ keys: DriveKeys) {
        let bytes = Sodium.expand(keys.chunkerSeed, to: 2048)
        table = (0..<256).map { entry in
            (0..<8).reduce(0) { $0 | UInt64(bytes[entry * 8 + $1]) << UInt64($1 * 8) }
        }
    }

    /// The length of the first chunk of the bytes, which are all that is left or at least ``maximum``.
    package func firstLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > Self.minimum else { return bytes.count }
        let end = min(bytes.count, Self.maximum)
        let middle = min(Self.average, end)
        return table.withUnsafeBufferPointer { table in
            var print: UInt64 = 0
            var index = Self.minimum
            while index < middle {
                print = (print << 1) &+ table[Int(bytes[index])]
                index += 1
                if print & Self.strictMask == 0 { return index }
            }
            while index < end {
                print = (print << 1) &+ table[Int(bytes[index])]
                index += 1
                if print & Self.looseMask == 0 { return index }
            }
            return end
        }
    }

    /// The lengths of all chunks of the bytes.
    package func lengths(_ bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { all in
            var lengths: [Int] = []
            var start = 0
            while start < all.count {
                let length = firstLength(UnsafeRawBufferPointer(rebasing: all[start...]))
                lengths.append(length)
                start += length
            }
            return lengths
        }
    }
}
