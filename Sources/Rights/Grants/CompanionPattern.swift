import FoundationEssentials

/// A pattern for names beside a document that a right to the document also covers, like `{stem}.srt` beside
/// `movie.mkv`.
///
/// `*` matches any characters, `?` matches one, and `{stem}` the document's present name without its last extension;
/// anything else matches itself, byte by byte.
package struct CompanionPattern: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Why a text is not a pattern.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// It is empty, longer than ``longest`` bytes, or contains characters that names cannot.
        case noName(String)
        /// It would cover a whole folder, which needs a right to the folder.
        case tooWide(String)
        /// There are more than ``most``.
        case tooMany(Int)

        /// A sentence for the user.
        package var description: String {
            switch self {
            case .noName(let text): "\"\(text)\" is not a name pattern: it must have 1 to \(longest) bytes and no \"/\""
            case .tooWide(let text):
                "\"\(text)\" would cover a whole folder; a pattern must contain a letter, a digit or {stem}"
            case .tooMany(let count): "\(count) name patterns are too many: at most \(most) are allowed"
            }
        }
    }

    private enum Token: Hashable { case literal(Character), any, one, stem }

    /// The most bytes in a pattern.
    package static let longest = 128
    /// The most patterns in one choice.
    package static let most = 8
    private static let stemMark = "{stem}"

    /// The pattern as it is stored and shown.
    package let text: String

    /// Validates a pattern.
    package init(_ text: String) throws(Fault) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, !text.utf8.contains(UInt8(ascii: "/")),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), text != ".", text != ".."
        else { throw .noName(text) }
        let isNarrow = Self.tokens(text).contains { token in
            switch token {
            case .literal(let character): character.isLetter || character.isNumber
            case .stem: true
            case .any, .one: false
            }
        }
        guard isNarrow else { throw .tooWide(text) }
        self.text = text
    }

    /// Validates the patterns of one choice.
    package static func list(_ texts: [String]) throws(Fault) -> [CompanionPattern] {
        guard texts.count <= most else { throw .tooMany(texts.count) }
        var patterns: [CompanionPattern] = []
        for text in texts {
            let pattern = try CompanionPattern(text)
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    /// Whether the pattern covers a name beside a document.
    package func matches(_ name: String, beside document: String) -> Bool {
        guard !name.isEmpty, name != ".", name != ".." else { return false }
        var wanted: [Token] = []
        for token in Self.tokens(text) {
            // The document's name is taken literally, even if it contains a star.
            if token == .stem { wanted += Self.stem(of: document).map(Token.literal) } else { wanted.append(token) }
        }
        return Self.matches(Array(name), wanted)
    }

    /// A name without its last extension.
    static func stem(of name: String) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name[...] }
        return name[..<dot]
    }

    // Backtracking to the last star is enough: an earlier star cannot match more than a later one.
    private static func matches(_ name: [Character], _ wanted: [Token]) -> Bool {
        var (position, at) = (0, 0)
        var retry: (position: Int, at: Int)?
        while position < name.count {
            if at < wanted.count, wanted[at] == .any {
                retry = (position, at)
                at += 1
            } else if at < wanted.count, fits(name[position], wanted[at]) {
                position += 1
                at += 1
            } else if let last = retry {
                retry = (last.position + 1, last.at)
                (position, at) = (last.position + 1, last.at + 1)
            } else {
                return false
            }
        }
        return wanted[at...].allSatisfy { $0 == .any }
    }

    private static func fits(_ character: Character, _ token: Token) -> Bool {
        switch token {
        case .literal(let wanted): String(character).isSame(as: String(wanted))
        case .one: true
        case .any, .stem: false
        }
    }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix(stemMark) {
                tokens.append(.stem)
                rest = rest.dropFirst(stemMark.count)
                continue
            }
            tokens.append(character == "*" ? .any : character == "?" ? .one : .literal(character))
            rest = rest.dropFirst()
        }
        return tokens
    }

    /// The pattern's text.
    package var description: String { text }

    /// Decodes the text and validates it again.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the column; a pattern that this version cannot read is dropped, and so covers nothing.
    static func read(_ column: String) -> [CompanionPattern] {
        ((try? JSONText.decode(column)) ?? []).compactMap { try? CompanionPattern($0) }
    }

    /// The column's text; nil without patterns.
    static func column(_ patterns: [CompanionPattern]) throws -> String? {
        patterns.isEmpty ? nil : try JSONText.encode(patterns.map(\.text))
    }
}
