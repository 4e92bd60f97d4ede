/// SHA-256 as FIPS 180-4 defines it: identifies content, for pinning what was consented to (S3).
///
/// In Swift alone, and slow: what provider authors build with the SDK has no library of cryptography among its
/// dependencies. Content is digested by `Cryptography`.
package struct PortableDigest: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    /// Starts with no content.
    package init() {}

    /// The digest of the bytes as 64 lower-case hexadecimal digits.
    package static func hexDigest(of bytes: some Sequence<UInt8>) -> String {
        var hash = PortableDigest()
        hash.update(bytes)
        return hash.hexDigest()
    }

    /// Adds bytes to the content.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let wasAdded: Void? = bytes.withContiguousStorageIfAvailable { add($0) }
        if wasAdded == nil { Array(bytes).withUnsafeBufferPointer { add($0) } }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        length &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let first = rest.prefix(64 - pending.count)
            pending += first
            rest = rest.dropFirst(first.count)
            guard pending.count == 64 else { return }
            let block = pending
            block.withUnsafeBufferPointer { compress($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let blocks = rest.prefix(rest.count / 64 * 64)
        compress(UnsafeBufferPointer(rebasing: blocks))
        pending += rest.dropFirst(blocks.count)
    }

    /// The digest, 32 bytes. The value itself is left as it was, so that more may be added.
    package func digest() -> [UInt8] {
        var last = self
        let bits = length &* 8
        last.update(CollectionOfOne(0x80))
        while last.pending.count != 56 { last.update(CollectionOfOne(0)) }
        last.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        return last.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package func hexDigest() -> String {
        digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // Without optimisation, as providers are built while they are written, every use of an array or a range is a call:
    // with pointers and `while`, a digest takes a fraction of the time.
    private mutating func compress(_ blocks: UnsafeBufferPointer<UInt8>) {
        guard var block = blocks.baseAddress else { return }
        let end = block + blocks.count
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { buffer in
            Self.constants.withUnsafeBufferPointer { table in
                guard let words = buffer.baseAddress, let constants = table.baseAddress else { return }
                while block < end {
                    Self.expand(block, words)
                    mix(words, constants)
                    block += 64
                }
            }
        }
    }

    /// Makes the 64 words of a block of 64 bytes.
    private static func expand(_ block: UnsafePointer<UInt8>, _ words: UnsafeMutablePointer<UInt32>) {
        var index = 0
        while index < 16 {
            let bytes = block + index * 4
            words[index] =
                UInt32(bytes[0]) &<< 24 | UInt32(bytes[1]) &<< 16 | UInt32(bytes[2]) &<< 8 | UInt32(bytes[3])
            index &+= 1
        }
        while index < 64 {
            let (early, late) = (words[index &- 15], words[index &- 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ (early &>> 3)
            let second = rotated(late, 17) ^ rotated(late, 19) ^ (late &>> 10)
            words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
            index &+= 1
        }
    }

    private mutating func mix(_ words: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var index = 0
        while index < 64 {
            let sum = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
            let otherSum = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ otherSum &+ majority)
            index &+= 1
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
