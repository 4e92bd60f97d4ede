/// What a user of the editor can do wrong, or a document be.
public enum NoteProblem: Error, Equatable, CustomStringConvertible {
    /// The note has no line of that number; how many it has.
    case noSuchLine(Int, of: Int)
    /// The document is not text in UTF-8; writing it back would destroy it.
    case noText
    /// What was typed is no command.
    case noCommand(String)

    /// A sentence, and what to do next.
    public var description: String {
        switch self {
        case .noSuchLine(let number, let count): "There is no line \(number); the note has \(count)."
        case .noText: "The document is not text in UTF-8. Open a text document."
        case .noCommand(let text):
            "\"\(text)\" is no command. Try: append TEXT, edit N TEXT, delete N, show, save, wait, quit."
        }
    }
}
