/// A command of the user, one per line.
public enum NoteCommand: Sendable, Equatable {
    /// Adds a line at the end.
    case append(String)
    /// Replaces a line, counted from 1.
    case edit(Int, String)
    /// Deletes a line, counted from 1.
    case delete(Int)
    /// Shows all lines.
    case show
    /// Saves the changes.
    case save
    /// Waits until a change by somebody else arrives.
    case wait
    /// Saves the changes and quits.
    case quit

    /// Reads a command.
    ///
    /// - Throws: ``NoteProblem/noCommand(_:)``.
    public init(_ text: String) throws(NoteProblem) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch (words.first ?? "", rest) {
        case ("append", _): self = .append(rest)
        case ("edit", _):
            let parts = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let number = parts.first.flatMap({ Int($0) }) else { throw .noCommand(text) }
            self = .edit(number, parts.count > 1 ? parts[1] : "")
        case ("delete", _):
            guard let number = Int(rest) else { throw .noCommand(text) }
            self = .delete(number)
        case ("show", ""): self = .show
        case ("save", ""): self = .save
        case ("wait", ""): self = .wait
        case ("quit", ""): self = .quit
        default: throw .noCommand(text)
        }
    }
}
