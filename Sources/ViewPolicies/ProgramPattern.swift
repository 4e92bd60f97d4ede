/// A pattern of the names of programs or units, in which `*` stands for any text. Pure.
package struct ProgramPattern: Sendable, Hashable {
    /// The most bytes of a pattern: as many as a file name has.
    package static let longest = 255

    /// As it is written.
    package let text: String

    /// Returns nil for what no name can match: an empty text, one that is too long, or one with a slash or a NUL.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longest,
            !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { return nil }
        self.text = text
    }

    /// Whether a whole name matches.
    package func matches(_ name: String) -> Bool {
        let (pattern, bytes) = (Array(text.utf8), Array(name.utf8))
        var (at, position) = (0, 0)
        // Where to continue after the last star: a pattern with many of them must not take long.
        var star: (pattern: Int, name: Int)?
        while position < bytes.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                at += 1
                star = (at, position)
            } else if at < pattern.count, pattern[at] == bytes[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (at, position) = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
