/// A mistake of the user, or a document that cannot be edited.
public enum NoteProblem: Error, Equatable, CustomStringConvertible {
    /// The note has no line with that number; `of` is the number of its lines.
    case noSuchLine(Int, of: Int)
    /// The document is not UTF-8 text; saving it would destroy it.
    case noText
    /// The input is not a command.
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
