import GRDB

/// What to ask the index of words, which has the parts of names with three letters.
enum WordParts {
    // A word is compared with the names anyway: a few of its parts are enough.
    private static let most = 8
    private static let mostBeginnings = 200

    /// The parts of a folded text that a name with this text has. No character of the text has a meaning in the
    /// expression.
    ///
    /// - Returns: nil when the index cannot help, because very many different parts begin with a short text.
    static func expression(_ text: String, _ database: Database) throws -> String? {
        let scalars = Array(text.unicodeScalars)
        if scalars.count >= 3 {
            var parts: [String] = []
            for start in starts(scalars.count) {
                var part = String.UnicodeScalarView()
                part.append(contentsOf: scalars[start..<(start + 3)])
                let quoted = Self.quoted(String(part))
                if !parts.contains(quoted) { parts.append(quoted) }
            }
            return parts.joined(separator: " AND ")
        }
        // Every place of a short text in a name is the beginning of a part.
        let found = try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT term FROM part WHERE term >= ?1 AND term < ?2 LIMIT \(mostBeginnings + 1)"),
            arguments: [text, text + "\u{10FFFF}"])
        guard found.count <= mostBeginnings else { return nil }
        // Nothing begins with it. A part that no name has finds nothing.
        if found.isEmpty { return quoted("\u{2}\u{2}\u{2}") }
        return "(" + found.map(quoted).joined(separator: " OR ") + ")"
    }

    // The beginning, the end, and some in between.
    private static func starts(_ count: Int) -> [Int] {
        let last = count - 3
        if last < most { return Array(0...last) }
        return (0..<most).map { $0 * last / (most - 1) }
    }

    private static func quoted(_ part: String) -> String {
        "\"" + part.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
