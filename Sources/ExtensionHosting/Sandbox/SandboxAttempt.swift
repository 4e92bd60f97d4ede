/// Something that a plugin tried beyond its sandbox, and that the sandbox stopped. The supervisor inside reports it if
/// it watches (``SandboxProfile/watchesAttempts``).
package struct SandboxAttempt: Sendable, Hashable {
    /// The kind of attempt.
    package enum Kind: String, Sendable {
        /// Making or changing a file.
        case write
        /// Making a network socket.
        case socket
        /// Starting a process.
        case process
    }

    package let kind: Kind
    /// The file, the family of the socket, or the program ("-" if not yet known); blanks and control characters become
    /// "?".
    package let object: String

    /// Reads a line of the report; nil if it reports something else.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "attempted", let kind = Kind(rawValue: String(words[1])) else { return nil }
        self.kind = kind
        object = String(words[2])
    }
}
