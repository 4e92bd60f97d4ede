/// Turns the bytes of a terminal into keys. Pure: a sequence may arrive in pieces, and ``flush()`` says that no more
/// comes.
package struct KeyDecoder: Sendable {
    /// The longest escape sequence; longer ones are dropped.
    private static let longestSequence = 32
    /// The longest pasted text in bytes; what is longer is cut.
    private static let longestPaste = 4096
    private static let escapeByte: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var waiting: [UInt8] = []
    /// The bytes of a paste that has not ended.
    private var paste: [UInt8]?

    package init() {}

    /// Whether bytes wait for more.
    package var isPending: Bool { !waiting.isEmpty }

    /// The keys that are complete after these bytes.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        waiting += bytes
        var keys: [Key] = []
        while let key = next() { if let key { keys.append(key) } }
        return keys
    }

    /// The keys of what waits, if nothing follows: an escape byte alone is the Escape key.
    package mutating func flush() -> [Key] {
        defer { waiting = [] }
        guard paste == nil, waiting.first == Self.escapeByte else { return [] }
        return [.escape]
    }

    /// The next key; a key of nil was understood and means nothing. The outer nil: more bytes are needed.
    private mutating func next() -> Key?? {
        guard let first = waiting.first else { return nil }
        if paste != nil { return pasted() }
        if first == Self.escapeByte { return sequence() }
        if first < 0x20 || first == 0x7F {
            waiting.removeFirst()
            return .some(Self.control(first))
        }
        return character(first)
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        default: nil
        }
    }

    private mutating func character(_ first: UInt8) -> Key?? {
        let count: Int
        switch first {
        case ..<0x80: count = 1
        case 0xC2..<0xE0: count = 2
        case 0xE0..<0xF0: count = 3
        case 0xF0..<0xF5: count = 4
        default:
            waiting.removeFirst()
            return .some(nil)
        }
        // A byte that cannot continue the character ends the wait for it.
        let rest = waiting.dropFirst().prefix(count - 1)
        if let wrong = rest.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            waiting.removeFirst(wrong)
            return .some(nil)
        }
        guard rest.count == count - 1 else { return nil }
        let bytes = waiting.prefix(count)
        waiting.removeFirst(count)
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return .some(nil) }
        return .some(.character(character))
    }

    private mutating func sequence() -> Key?? {
        guard waiting.count > 1 else { return nil }
        let second = waiting[1]
        switch second {
        case UInt8(ascii: "["), UInt8(ascii: "O"): break
        case Self.escapeByte:
            waiting.removeFirst()
            return .some(.escape)
        default:
            // Alt and a key: the key alone has another meaning, so the pair has none.
            waiting.removeFirst(2)
            return .some(nil)
        }
        guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) || $0 < 0x20 }) else {
            if waiting.count > Self.longestSequence { waiting = [] }
            return nil
        }
        guard waiting[end] >= 0x20 else {
            // Something else began in the middle of the sequence.
            waiting.removeFirst(end)
            return .some(nil)
        }
        let parameters = String(decoding: waiting[2..<end], as: UTF8.self)
        let final = waiting[end]
        waiting.removeFirst(end + 1)
        return .some(key(final, parameters))
    }

    private mutating func key(_ final: UInt8, _ parameters: String) -> Key? {
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "M"): return parameters.isEmpty ? .enter : nil
        case UInt8(ascii: "~"): break
        default: return nil
        }
        switch parameters.prefix(while: { $0 != ";" }) {
        case "1", "7": return .home
        case "4", "8": return .end
        case "3": return .delete
        case "5": return .pageUp
        case "6": return .pageDown
        case "200":
            paste = []
            return nil
        default: return nil
        }
    }

    private mutating func pasted() -> Key?? {
        guard let end = waiting.firstRange(of: Self.pasteEnd) else {
            // The end may have begun.
            let whole = max(0, waiting.count - Self.pasteEnd.count)
            keep(waiting.prefix(whole))
            waiting.removeFirst(whole)
            return nil
        }
        keep(waiting[..<end.lowerBound])
        waiting.removeFirst(end.upperBound)
        let bytes = paste ?? []
        paste = nil
        return .some(.pasted(String(decoding: bytes, as: UTF8.self)))
    }

    private mutating func keep(_ bytes: some Sequence<UInt8>) {
        var kept = paste ?? []
        kept += bytes.prefix(max(0, Self.longestPaste - kept.count))
        paste = kept
    }
}
