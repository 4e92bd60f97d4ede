/// Generates new inputs from old ones; the same for the same seed (SplitMix64).
struct FuzzMutator: RandomNumberGenerator {
    private var state: UInt64
    private let words: [[UInt8]]

    init(seed: UInt64, words: [String]) {
        state = seed &* 0x2545_F491_4F6C_DD1D &+ 1
        self.words = words.map { Array($0.utf8) }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

    /// A further input, of at most `limit` bytes.
    mutating func mutate(_ corpus: [[UInt8]], limit: Int = 8192) -> [UInt8] {
        var bytes = corpus.randomElement(using: &self) ?? []
        for _ in 0...below(5) { change(&bytes, corpus) }
        return Array(bytes.prefix(limit))
    }

    private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
        let place = below(bytes.count + 1)
        let end = min(bytes.count, place + 1 + below(16))
        switch below(9) {
        case 0 where !bytes.isEmpty: bytes[min(place, bytes.count - 1)] ^= 1 << UInt8(below(8))
        case 1 where !bytes.isEmpty: bytes[min(place, bytes.count - 1)] = UInt8(truncatingIfNeeded: next())
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.insert(contentsOf: (0...below(8)).map { _ in UInt8(truncatingIfNeeded: next()) }, at: place)
        case 5, 6: bytes.insert(contentsOf: words.randomElement(using: &self) ?? [], at: place)
        case 7: bytes.removeSubrange(place...)
        default:
            let other = corpus.randomElement(using: &self) ?? []
            bytes = Array(bytes.prefix(place) + other.dropFirst(below(other.count + 1)))
        }
    }
}
