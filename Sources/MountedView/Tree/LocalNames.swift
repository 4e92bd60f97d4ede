/// Names of files that programs make only for themselves: locks, copies for the case of a crash, and files that take
/// the place of a document in the next moment. They stay on this machine. Pure.
package struct LocalNames: Sendable {
    /// Patterns of names: `*` is any text, `?` any character, `%` a letter or digit.
    package static let standard = [
        ".~lock.*#", "~$*", "*.swp", "*.swo", "*.swx", "*.swpx", "4913", "*~", "#*#", ".#*", ".goutputstream-*",
        "*.part", "*.crdownload", "*.tmp", "*.temp", ".nfs*", ".fuse_hidden*", "sed%%%%%%", ".*.%%%%%%",
        "*.kate-swp", ".*.kate-swp", "lu%%%%%%*.tmp", ".DS_Store", "._*", "Thumbs.db", "desktop.ini",
        ".directory", ".Trash-*", ".hidden",
    ]

    private let patterns: [[Character]]

    package init(_ patterns: [String] = standard) { self.patterns = patterns.map(Array.init) }

    /// Whether a file stays on this machine.
    ///
    /// - Parameter siblings: whether a name is that of a document in the same folder. Qt's programs save `a.txt` as
    ///   `a.txt.XXXXXX` first.
    package func contains(_ name: String, siblings: (String) -> Bool = { _ in false }) -> Bool {
        let characters = Array(name)
        if patterns.contains(where: { Self.matches(characters[...], $0[...]) }) { return true }
        guard characters.count > 7, characters[characters.count - 7] == ".",
            characters.suffix(6).allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return false }
        return siblings(String(characters.dropLast(7)))
    }

    private static func matches(_ name: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
        // Where to go on after the last star: names are short, but patterns come from users.
        var (name, pattern) = (name, pattern)
        var star: (pattern: ArraySlice<Character>, name: ArraySlice<Character>)?
        while let character = name.first {
            if pattern.first == "*" {
                pattern = pattern.dropFirst()
                star = (pattern, name)
            } else if let expected = pattern.first,
                expected == character || expected == "?"
                    || expected == "%" && character.isASCII && (character.isLetter || character.isNumber)
            {
                name = name.dropFirst()
                pattern = pattern.dropFirst()
            } else if let last = star {
                star = (last.pattern, last.name.dropFirst())
                (pattern, name) = (last.pattern, last.name.dropFirst())
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}
