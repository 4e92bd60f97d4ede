/// A folder among the places of file dialogs. Pure: what else is in the files stays as it is, byte by byte.
enum PlacesFile {
    /// The URL of a folder.
    static func url(of path: String) -> String {
        "file://"
            + path.utf8.map { byte in
                isPlain(byte)
                    ? String(UnicodeScalar(byte))
                    : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-._~".utf8.contains(byte)
        }
    }

    // MARK: GTK

    /// The bookmarks of GTK with a folder: a line for each, with its URL and name.
    static func addingLine(_ url: String, _ name: String, to text: String) -> String {
        guard !text.split(separator: "\n").contains(where: { isLine($0, of: url) }) else { return text }
        return text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + "\(url) \(name)\n"
    }

    /// The same without the folder.
    static func removingLine(_ url: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !isLine($0, of: url) }.joined(separator: "\n")
    }

    private static func isLine(_ line: Substring, of url: String) -> Bool {
        line == url || line.hasPrefix(url + " ")
    }

    // MARK: KDE and Qt

    /// The places of KDE with a folder, in XBEL.
    ///
    /// - Returns: nil if the text is not understood.
    static func addingBookmark(_ url: String, _ name: String, to text: String) -> String? {
        guard text.contains("<xbel"), let end = text.ranges(of: "</xbel>").last?.lowerBound else {
            return nil
        }
        guard !text.contains(start(url)) else { return text }
        let bookmark = " \(start(url))>\n  <title>\(escaped(name))</title>\n </bookmark>\n"
        return text[..<end] + bookmark + text[end...]
    }

    /// The same without the folder.
    static func removingBookmark(_ url: String, from text: String) -> String {
        guard let first = text.firstRange(of: start(url))?.lowerBound,
            let last = text[first...].firstRange(of: "</bookmark>")?.upperBound
        else { return text }
        var (from, to) = (first, last)
        // With its indentation and the end of its line.
        while from > text.startIndex, text[text.index(before: from)] == " " { from = text.index(before: from) }
        if to < text.endIndex, text[to] == "\n" { to = text.index(after: to) }
        return String(text[..<from] + text[to...])
    }

    private static func start(_ url: String) -> String { "<bookmark href=\"\(escaped(url))\"" }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
