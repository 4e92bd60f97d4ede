/// Whether an object of a well-formed JSON text has a key twice: readers may differ in which of the two they use.
struct DuplicateKeys {
    private var keys: [Set<ArraySlice<UInt8>>] = []
    private(set) var wereFound = false

    /// Searches a text. Keys that are written with escapes count as found.
    init(in bytes: [UInt8]) {
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): keys.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = keys.popLast()
            case UInt8(ascii: "\""):
                let start = position
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                note(bytes[start..<min(position, bytes.count)], in: bytes, until: position + 1)
            default: break
            }
            position += 1
        }
    }

    private mutating func note(_ text: ArraySlice<UInt8>, in bytes: [UInt8], until end: Int) {
        let next = bytes.dropFirst(end).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard next == UInt8(ascii: ":"), !keys.isEmpty else { return }
        let isFirst = keys[keys.count - 1].insert(text).inserted
        wereFound = wereFound || !isFirst || text.contains(UInt8(ascii: "\\"))
    }
}
