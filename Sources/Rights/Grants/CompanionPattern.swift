import FoundationEssentials

/// Names beside a document that a right to it covers too, like `{stem}.srt` beside `movie.mkv`.
///
/// `*` stands for any characters, `?` for one, `{stem}` for the document's present name without its last extension; all
/// else for itself, byte by byte.
package struct CompanionPattern: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Why a text is no pattern.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// It is empty, longer than ``longest`` bytes, or holds what no name can.
        case noName(String)
        /// It would cover a whole folder; that takes a right to the folder.
        case tooWide(String)
        /// There are more than ``most``.
        case tooMany(Int)

        /// A sentence for the user.
        package var description: String {
            switch self {
            case .noName(let text): "\"\(text)\" is no pattern of names: 1 to \(longest) bytes, without \"/\""
            case .tooWide(let text):
                "\"\(text)\" would cover a whole folder; a pattern names at least a letter, a digit or {stem}"
            case .tooMany(let count): "\(count) patterns of names are too many: \(most) at most"
            }
        }
    }

    private enum Token: Hashable { case literal(Character), any, one, stem }

    /// The most bytes of a pattern.
    package static let longest = 128
    /// The most patterns of one choice.
    package static let most = 8
    private static let stemMark = "{stem}"

    /// The pattern as it is stored and shown.
    package let text: String

    /// Checks a pattern.
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

    /// Checks the patterns of one choice.
    package static func list(_ texts: [String]) throws(Fault) -> [CompanionPattern] {
        guard texts.count <= most else { throw .tooMany(texts.count) }
        var patterns: [CompanionPattern] = []
        for text in texts {
            let pattern = try CompanionPattern(text)
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    /// Whether a name is covered beside a document of another.
    package func matches(_ name: String, beside document: String) -> Bool {
        guard !name.isEmpty, name != ".", name != ".." else { return false }
        var wanted: [Token] = []
        for token in Self.tokens(text) {
            // What the document is called is no pattern, even with a star in it.
            if token == .stem { wanted += Self.stem(of: document).map(Token.literal) } else { wanted.append(token) }
        }
        return Self.matches(Array(name), wanted)
    }

    /// A name without its last extension.
    static func stem(of name: String) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name[...] }
        return name[..<dot]
    }

    // One place to go back to is enough: an earlier star can take no more than a later one.
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

    /// The pattern as it is shown.
    package var description: String { text }

    /// Decodes the text, and checks it again.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the column; a pattern that this version cannot read covers nothing.
    static func read(_ column: String) -> [CompanionPattern] {
        ((try? JSONText.decode(column)) ?? []).compactMap { try? CompanionPattern($0) }
    }

    /// The column; nil without patterns.
    static func column(_ patterns: [CompanionPattern]) throws -> String? {
        patterns.isEmpty ? nil : try JSONText.encode(patterns.map(\.text))
    }
}
