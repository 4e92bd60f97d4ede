/// Something that a plugin tried beyond its sandbox, which stopped it. The supervisor inside tells of it where it
/// watches (``SandboxProfile/watchesAttempts``).
package struct SandboxAttempt: Sendable, Hashable {
    /// What was tried.
    package enum Kind: String, Sendable {
        /// To make or change a file.
        case write
        /// To make a socket of the network.
        case socket
        /// To start a process.
        case process
    }

    package let kind: Kind
    /// The file, the family of the socket, or the program (“-” before it was known); blanks and control characters are
    /// “?”.
    package let object: String

    /// Reads a line of the report; nil where it tells something else.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "attempted", let kind = Kind(rawValue: String(words[1])) else { return nil }
        self.kind = kind
        object = String(words[2])
    }
}
