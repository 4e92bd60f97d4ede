/// A program that draws pictures of documents of some types, as its `.thumbnailer` file describes it. Pure.
struct ThumbnailerEntry: Sendable, Hashable {
    private static let group = "[Thumbnailer Entry]"

    /// The MIME types that it draws.
    let types: Set<String>
    /// A program that must be there; nil if nothing is required.
    let requiredProgram: String?
    /// The program, and its arguments with their placeholders.
    let command: [String]

    /// Reads a file; nil if it describes no program.
    init?(_ text: String) {
        var values: [String: String] = [:]
        var isInGroup = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") { isInGroup = line == Self.group }
            guard isInGroup, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(line[..<equals])
            if values[key] == nil { values[key] = Self.trimmed(line[line.index(after: equals)...]) }
        }
        guard let exec = values["Exec"], let command = Self.words(exec), !command.isEmpty else { return nil }
        self.command = command
        requiredProgram = values["TryExec"].flatMap { $0.isEmpty ? nil : $0 }
        types = Set((values["MimeType"] ?? "").split(separator: ";").map { Self.trimmed($0).lowercased() })
    }

    /// The arguments for a document, without the program.
    func arguments(document: String, picture: String, size: Int) -> [String] {
        command.dropFirst().map { word in
            var result = ""
            var isPlaceholder = false
            for character in word {
                guard isPlaceholder else {
                    if character == "%" { isPlaceholder = true } else { result.append(character) }
                    continue
                }
                isPlaceholder = false
                switch character {
                case "u": result += "file://" + document
                case "i": result += document
                case "o": result += picture
                case "s": result += String(size)
                case "%": result.append("%")
                default: break
                }
            }
            return result
        }
    }

    /// The words of a command line, with the quoting of desktop entries; nil for a quotation without an end.
    static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if isQuoted {
                switch character {
                case "\\": isEscaped = true
                case "\"": isQuoted = false
                default: word = (word ?? "") + String(character)
                }
            } else if character == "\"" {
                (isQuoted, word) = (true, word ?? "")
            } else if character == " " || character == "\t" {
                if let found = word { words.append(found) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted, !isEscaped else { return nil }
        if let word { words.append(word) }
        return words
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let space: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        var rest = Substring(text).drop(while: space)
        while let last = rest.last, space(last) { rest.removeLast() }
        return String(rest)
    }
}
