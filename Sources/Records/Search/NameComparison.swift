/// Compares names with the words of a query.
struct NameComparison {
    private struct Word {
        let text: [UInt8]
        let isInName: Bool
    }

    private let wanted: [Word]
    private let unwanted: [[UInt8]]
    private let phrase: [UInt8]

    init(_ query: SearchQuery) {
        wanted = query.wanted.map { Word(text: Array($0.text.utf8), isInName: $0.isInName) }
        unwanted = query.unwanted.map { Array($0.text.utf8) }
        phrase = Array(query.wanted.map(\.text).joined(separator: " ").utf8)
    }

    /// Whether every name fits.
    var isAny: Bool { wanted.isEmpty && unwanted.isEmpty }

    /// Where the words are; nil if one that is wanted is missing, or one that is not wanted is there.
    ///
    /// - Parameters:
    ///   - name: the folded name.
    ///   - stemLength: as for ``SearchRank/place(of:in:stemLength:)``.
    ///   - above: the folded names of the folders around the item.
    func places(
        in name: [UInt8], stemLength: Int, above: () throws -> [[UInt8]]
    ) rethrows -> [SearchRank.Place]? {
        for word in unwanted where SearchRank.place(of: word, in: name, stemLength: 0) != nil { return nil }
        var places: [SearchRank.Place] = []
        places.reserveCapacity(wanted.count)
        var missing: [Word] = []
        for word in wanted {
            if let place = SearchRank.place(of: word.text, in: name, stemLength: stemLength) {
                places.append(place)
            } else if word.isInName || wanted.count == 1 {
                return nil
            } else {
                missing.append(word)
            }
        }
        if missing.isEmpty { return places }
        // A folder full of other names is not what was meant: one word is in the name itself.
        guard !places.isEmpty else { return nil }
        let above = try above()
        for word in missing {
            guard above.contains(where: { SearchRank.place(of: word.text, in: $0, stemLength: 0) != nil }) else {
                return nil
            }
            places.append(.folder)
        }
        return places
    }

    /// Whether the words follow each other in a folded name.
    func isPhrase(in name: [UInt8]) -> Bool {
        wanted.count > 1 && SearchRank.place(of: phrase, in: name, stemLength: 0) != nil
    }
}
