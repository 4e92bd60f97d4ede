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
    /// The codes of letters that are not ASCII.
    private var letters: [Character: UInt32] = [:]

    package init() {}

    /// The number of names.
    package var count: Int { starts.count - 1 }

    /// Adds a name.
    package mutating func append(_ name: String) {
        var previous: Character?
        for character in name {
            let isWord = Self.beginsWord(character, after: previous)
            for part in Self.folded(character) { codes.append(code(part) | (isWord ? Self.wordStart : 0)) }
            previous = character
        }
        starts.append(codes.count)
    }

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
        codes.withUnsafeBufferPointer { codes in
            for index in 0..<count {
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
        var best = runScore(word, in: name)
        // The first end from the left, then back from it for the shortest piece.
        var position = 0
        var end = 0
        while end < name.count, position < word.count {
            if name[end] & ~wordStart == word[position] { position += 1 }
            end += 1
        }
        guard position == word.count else { return nil }
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
        best = max(best ?? score, score)
        return best.map { $0 - min(name.count, 64) / 8 }
    }

    /// The score of the word as one piece; nil if it is none. A piece at the beginning of a word is preferred.
    private static func runScore(_ word: [UInt32], in name: UnsafeBufferPointer<UInt32>) -> Int? {
        var best: Int?
        for start in 0...(name.count - word.count) where name[start] & ~wordStart == word[0] {
            var length = 1
            while length < word.count, name[start + length] & ~wordStart == word[length] { length += 1 }
            guard length == word.count else { continue }
            var score = 28 * length + (name[start] & wordStart != 0 ? 24 : 0) - min(8, start)
            if start == 0 { score += 16 }
            if length == name.count { score += 32 }
            best = max(best ?? score, score)
            if start == 0 || name[start] & wordStart != 0 { break }
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

    private static func beginsWord(_ character: Character, after previous: Character?) -> Bool {
        guard let previous else { return true }
        if character.isLetter { return !previous.isLetter || character.isUppercase && previous.isLowercase }
        return character.isNumber && !previous.isNumber
    }
}
