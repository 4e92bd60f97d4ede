/// The order of what a search finds. Pure.
///
/// How well a name fits decides first: the whole name, its beginning, the beginning of a word, a part of a word, then a
/// folder around it. How recently the item was changed decides between names that fit about equally.
package enum SearchRank {
    /// How a word is in a name.
    package enum Place: Int, Hashable, Sendable, Comparable {
        /// Only in the name of a folder around the item.
        case folder
        /// Within a word.
        case part
        /// At the beginning of a word.
        case wordStart
        /// At the beginning of the name.
        case nameStart
        /// The whole name, with or without its extension.
        case wholeName

        package static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }

        var value: Double {
            switch self {
            case .folder: 0.1
            case .part: 0.3
            case .wordStart: 0.6
            case .nameStart: 0.8
            case .wholeName: 1
            }
        }
    }

    private static let recencyWeight = 0.19
    private static let halfLife = 90 * 86_400.0

    /// Where a word is in a name, at its best place; nil if it is not there.
    ///
    /// - Parameters:
    ///   - word: the UTF-8 of the folded word; not empty.
    ///   - name: that of the folded name.
    ///   - stemLength: how many bytes of the folded name are before its extension.
    package static func place(of word: [UInt8], in name: [UInt8], stemLength: Int) -> Place? {
        guard let first = word.first, name.count >= word.count else { return nil }
        var found: Place?
        for start in 0...(name.count - word.count) where name[start] == first {
            guard name[start..<(start + word.count)].elementsEqual(word) else { continue }
            if start == 0 { return word.count == name.count || word.count == stemLength ? .wholeName : .nameStart }
            if name[start - 1] == UInt8(ascii: " ") { return .wordStart }
            found = .part
        }
        return found
    }

    /// How well an item fits: 0 to 1.5 for the words, and less than 0.2 for its age. A query without words ranks by age
    /// alone.
    ///
    /// - Parameters:
    ///   - places: where each word of the query is.
    ///   - isPhrase: whether the words follow each other in the name, in the order of the query.
    ///   - modified: when the item was changed, in seconds since 1970; nil when unknown.
    package static func score(_ places: [Place], isPhrase: Bool, modified: Double?, now: Double) -> Double {
        var score = 0.0
        if !places.isEmpty {
            score = places.reduce(0) { $0 + $1.value } / Double(places.count)
            if places.count > 1, isPhrase { score += 0.3 }
        }
        guard let modified, modified.isFinite else { return score }
        // A time in the future comes from a wrong clock: it is no better than now.
        let age = max(0, now - modified)
        return score + recencyWeight / (1 + age / halfLife)
    }
}
