/// Finds the numbers of requirements in a text. The tree is large, so it compares bytes, without regular expressions.
struct CitationScanner {
    /// Words that precede a number, in lower case and in the singular.
    static let words = ["law", "complaint", "hazard", "fault", "deadlock"]

    private let text: [UInt8]

    init(_ text: some Sequence<UInt8>) { self.text = Array(text) }

    /// All citations in the text.
    var citations: Set<String> {
        Set(lettered + named(Self.words) + lists.flatMap(\.self).filter(CitationList.isSection))
    }

    /// The numbers that must not occur in a text for users. Two are also ordinary words, unless they stand in
    /// parentheses like a citation.
    var forbidden: Set<String> {
        let words: Set = ["S3", "X11"]
        return Set(lettered).subtracting(words).union(named(["law", "complaint", "hazard"])).union(
            lists.flatMap(\.self))
    }

    /// A letter with one or two digits, as a separate word.
    private var lettered: [String] {
        text.indices.compactMap { index in
            guard Self.isCapital(text[index]), !continues(before: index) else { return nil }
            let end = text[(index + 1)...].prefix(3).prefix(while: Self.isDigit).endIndex
            let number = String(decoding: text[index..<end], as: UTF8.self)
            return CitationList.isLettered(number) && !continues(after: end) ? number : nil
        }
    }

    /// `law 5`, `Complaints 9, 27`, `HAZARDS 2 to 4`: each number with its word.
    private func named(_ words: [String]) -> [String] {
        guard text.contains(where: Self.isDigit) else { return [] }
        var result: [String] = []
        var word: String?
        for part in String(decoding: text, as: UTF8.self).split(whereSeparator: { " ()–\"".contains($0) }) {
            let plain = part.lowercased()
            if let number = Int(part.prefix(while: { !",;.:".contains($0) })) {
                if let word { result.append("\(word) \(number)") }
                if part.hasSuffix(";") || part.hasSuffix(":") || part.hasSuffix(".") { word = nil }
            } else if let found = words.first(where: { plain == $0 || plain == $0 + "s" }) {
                word = found
            } else if plain != "to" && plain != "and" {
                word = nil
            }
        }
        return result
    }

    /// The contents of parentheses that contain only numbers of requirements.
    private var lists: [[String]] {
        var result: [[String]] = []
        var start: Int?
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "(") {
                start = index + 1
            } else if byte == UInt8(ascii: ")"), let from = start {
                start = nil
                let inside = text[from..<index]
                guard inside.count < 100, inside.contains(where: Self.isDigit) else { continue }
                if let list = CitationList(String(decoding: inside, as: UTF8.self)) { result.append(list.members) }
            }
        }
        return result
    }

    private func continues(before index: Int) -> Bool {
        guard index > 0 else { return false }
        let byte = text[index - 1]
        // `C1-C5` is a range, `x-C5` a word.
        if byte == UInt8(ascii: "-"), index > 1, Self.isDigit(text[index - 2]) { return false }
        return Self.isWordByte(byte) || "._-/\\{+#$%&@=".utf8.contains(byte)
    }

    private func continues(after index: Int) -> Bool {
        guard index < text.count else { return false }
        if Self.isWordByte(text[index]) { return true }
        let isJoined = text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: "=")
        return isJoined && index + 1 < text.count && Self.isWordByte(text[index + 1])
    }

    private static func isCapital(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "X") }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    private static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
            || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }
}
