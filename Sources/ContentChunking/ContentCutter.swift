/// Cuts content where the content itself says so (FastCDC, Xia and others, 2016), so that an insertion changes one or
/// two chunks and not all that follow.
package struct ContentCutter: Sendable {
    /// No chunk but the last is smaller, in bytes.
    package let minimum: Int
    /// The size that most chunks are close to, in bytes.
    package let average: Int
    /// No chunk is larger, in bytes.
    package let maximum: Int

    private let strictMask: UInt64
    private let looseMask: UInt64
    private let table: [UInt64]

    /// - Parameters:
    ///   - minimum: in bytes; less than the average.
    ///   - averageBits: the logarithm of the average to the base 2; 3 to 60.
    ///   - maximum: in bytes; more than the average.
    ///   - table: 256 random numbers, which decide where content is cut.
    package init(minimum: Int, averageBits: Int, maximum: Int, table: [UInt64]) {
        precondition(table.count == 256 && (3...60).contains(averageBits))
        self.minimum = minimum
        average = 1 << averageBits
        self.maximum = maximum
        strictMask = Self.mask(averageBits + 2)
        looseMask = Self.mask(averageBits - 2)
        self.table = table
    }

    /// 256 numbers that are always the same.
    package static func fixedTable() -> [UInt64] {
        // SplitMix64 (Steele and others, 2014).
        var state: UInt64 = 0
        return (0..<256).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    // The upper bits depend on more of the preceding bytes than the lower ones.
    private static func mask(_ bits: Int) -> UInt64 { ((1 << UInt64(bits)) - 1) << UInt64(64 - bits) }

    /// The length of the first chunk of the bytes, which are all that is left or at least ``maximum``.
    package func firstLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > minimum else { return bytes.count }
        let end = min(bytes.count, maximum)
        let middle = min(average, end)
        return table.withUnsafeBufferPointer { table in
            var print: UInt64 = 0
            var index = minimum
            while index < middle {
                print = (print << 1) &+ table[Int(bytes[index])]
                index += 1
                if print & strictMask == 0 { return index }
            }
            while index < end {
                print = (print << 1) &+ table[Int(bytes[index])]
                index += 1
                if print & looseMask == 0 { return index }
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
