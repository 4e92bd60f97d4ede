/// The names of a folder, prepared for a filter that changes with every key. Pure.
///
/// Names that Unicode calls equal are equal here: an `é` of one or of two scalars is the same letter.
package struct NameIndex: Sendable {
    /// Set in the code of a letter that begins a word.
    private static let wordStart: UInt32 = 1 << 31

    /// The codes of all names, one after the other.
    private var codes: [UInt32] = []
    /// Where each name begins in `codes`, and at the end, where the last one ends.
    private var starts: [Int] = [0]
    /// A bit for each code of a name, so that most names without the letters of a filter are not looked at.
    private var masks: [UInt64] = []
    /// The codes of letters that are not ASCII.
    private var letters: [Character: UInt32] = [:]

    package init() {}

    /// The number of names.
    package var count: Int { starts.count - 1 }

    /// Adds a name.
    package mutating func append(_ name: String) {
        defer {
            masks.append(codes[(starts.last ?? 0)...].reduce(0) { $0 | Self.bit($1) })
            starts.append(codes.count)
        }
        var previous = Class.other
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in name.utf8 { append(byte, after: &previous) }
            return
        }
        for character in name {
            if let byte = character.asciiValue {
                append(byte, after: &previous)
            } else {
                append(character, after: &previous)
            }
        }
    }

    private mutating func append(_ byte: UInt8, after previous: inout Class) {
        let next: Class =
            switch byte {
            case 0x41...0x5A: .capital
            case 0x61...0x7A: .small
            case 0x30...0x39: .digit
            default: .other
            }
        let mark = begins(next, after: previous) ? Self.wordStart : 0
        codes.append(UInt32(next == .capital ? byte + 0x20 : byte) | mark)
        previous = next
    }

    private mutating func append(_ character: Character, after previous: inout Class) {
        let next: Class =
            character.isLetter ? (character.isUppercase ? .capital : .small) : character.isNumber ? .digit : .other
        let mark = begins(next, after: previous) ? Self.wordStart : 0
        for part in Self.folded(character) { codes.append(code(part) | mark) }
        previous = next
    }

    /// Whether a letter of this class begins a word.
    private func begins(_ next: Class, after previous: Class) -> Bool {
        switch next {
        case .capital: previous != .capital
        case .small: previous != .small && previous != .capital
        case .digit: previous != .digit
        case .other: codes.count == starts.last
        }
    }

    private enum Class {
        case capital
        case small
        case digit
        case other
    }

    private static func bit(_ code: UInt32) -> UInt64 { 1 << UInt64((code & ~wordStart) % 61) }

    /// The names that contain the letters of a filter in their order, the best first; equal ones in their own order.
    /// Every name for a filter without letters.
    ///
    /// Words of the filter, separated by spaces, must all be found, in any order.
    package func matches(_ filter: String) -> [Int] {
        let words = filter.split(separator: " ").map { word in
            word.flatMap(Self.folded).map { letters[$0] ?? $0.asciiValue.map(UInt32.init) }
        }
        guard !words.isEmpty else { return Array(0..<count) }
        // A letter that no name contains.
        guard words.allSatisfy({ !$0.contains(nil) }) else { return [] }
        let wanted = words.map { $0.compactMap(\.self) }
        var found: [(index: Int, score: Int)] = []
        let mask = wanted.joined().reduce(0) { $0 | Self.bit($1) }
        codes.withUnsafeBufferPointer { codes in
            for index in 0..<count where masks[index] & mask == mask {
                let name = UnsafeBufferPointer(rebasing: codes[starts[index]..<starts[index + 1]])
                var total = 0
                var isFound = true
                for word in wanted {
                    guard let score = Self.score(word, in: name) else {
                        isFound = false
                        break
                    }
                    total += score
                }
                if isFound { found.append((index, total)) }
            }
        }
        found.sort { ($1.score, $0.index) < ($0.score, $1.index) }
        return found.map(\.index)
    }

    // MARK: One name

    /// How well a word fits: nil if its letters are not all there in their order. Letters that follow each other, and
    /// those at the beginning of a word or of the name, count more; letters between them count less.
    private static func score(_ word: [UInt32], in name: UnsafeBufferPointer<UInt32>) -> Int? {
        guard word.count <= name.count else { return nil }
        // The first end from the left, then back from it for the shortest piece.
        var position = 0
        var end = 0
        while end < name.count, position < word.count {
            if name[end] & ~wordStart == word[position] { position += 1 }
            end += 1
        }
        guard position == word.count else { return nil }
        let best = runScore(word, in: name)
        var score = 0
        var index = end - 1
        var later: Int?
        position = word.count - 1
        while position >= 0 {
            if name[index] & ~wordStart == word[position] {
                score += 16
                if name[index] & wordStart != 0 { score += 8 }
                if let later { score += later == index + 1 ? 12 : -min(6, later - index - 1) }
                later = index
                position -= 1
            }
            index -= 1
        }
        score -= min(8, later ?? 0)
        return max(best ?? score, score) - min(name.count, 64) / 8
    }

    /// The score of the word as one piece; nil if it is none. A piece at the beginning of a word is preferred.
    private static func runScore(_ word: [UInt32], in name: UnsafeBufferPointer<UInt32>) -> Int? {
        var best: Int?
        let last = name.count - word.count
        let first = word[0]
        var start = 0
        while start <= last {
            defer { start += 1 }
            guard name[start] & ~wordStart == first else { continue }
            var length = 1
            while length < word.count, name[start + length] & ~wordStart == word[length] { length += 1 }
            guard length == word.count else { continue }
            let isWord = name[start] & wordStart != 0
            var score = 28 * length + (isWord ? 24 : 0) - min(8, start)
            if start == 0 { score += 16 }
            if length == name.count { score += 32 }
            best = max(best ?? score, score)
            if isWord { break }
        }
        return best
    }

    // MARK: Letters

    private mutating func code(_ character: Character) -> UInt32 {
        if let ascii = character.asciiValue { return UInt32(ascii) }
        if let known = letters[character] { return known }
        // Above every byte, and below the mark of a word's beginning.
        let new = UInt32(0x100 + letters.count)
        letters[character] = new
        return new
    }

    private static func folded(_ character: Character) -> [Character] {
        if let ascii = character.asciiValue {
            return [(0x41...0x5A).contains(ascii) ? Character(Unicode.Scalar(ascii + 0x20)) : character]
        }
        return Array(character.lowercased())
    }
}
