import Documents

/// Executes the user's commands one after the other, and prints their results.
///
/// On a terminal the note is shown and updated with the changes of others. Otherwise the answer to every command ends
/// with a line of its own: `ok`, `N lines`, `saved N lines`, `changed`, `bye`, or `error: …`.
@MainActor
public final class NoteEditor {
    private let note: NoteDocument
    private let isLive: Bool
    private let output: @MainActor (String) -> Void
    private var knownChanges = 0

    /// - Parameters:
    ///   - isLive: whether the whole note is shown after each change.
    ///   - output: receives the text to be shown; lines end with a line feed.
    public init(note: NoteDocument, isLive: Bool, output: @escaping @MainActor (String) -> Void) {
        self.note = note
        self.isLive = isLive
        self.output = output
    }

    /// Executes commands until `quit` or the end of the input, which has the same effect.
    ///
    /// - Returns: whether everything was saved in the end.
    public func run(_ input: AsyncStream<String>) async -> Bool {
        if isLive {
            note.whenChangedByOthers = { [weak self] in self?.draw() }
            draw()
        }
        for await line in input {
            if line.isEmpty { continue }
            do {
                let command = try NoteCommand(line)
                if command == .quit {
                    try await note.end()
                    output("bye\n")
                    return true
                }
                let answer = try await carryOut(command)
                if isLive { draw(answer) } else { output(answer + "\n") }
            } catch {
                if isLive { draw(Self.explain(error)) } else { output(Self.explain(error) + "\n") }
            }
        }
        do {
            try await note.end()
            return true
        } catch {
            output(Self.explain(error) + "\n")
            return false
        }
    }

    private func carryOut(_ command: NoteCommand) async throws -> String {
        switch command {
        case .append(let line): note.edit { $0.append(line) }
        case .edit(let number, let line):
            try note.edit { (text) throws(NoteProblem) in try text.edit(number, line) }
        case .delete(let number): try note.edit { (text) throws(NoteProblem) in try text.delete(number) }
        case .show:
            knownChanges = note.foreignChanges
            let lines = note.text.lines
            if !isLive { for (index, line) in lines.enumerated() { output("\(index + 1): \(line)\n") } }
            return "\(lines.count) lines"
        case .save:
            try await note.store()
            return "saved \(note.text.lines.count) lines"
        case .wait:
            await note.foreignChange(after: knownChanges)
            knownChanges = note.foreignChanges
            return note.isDeleted ? "deleted" : "changed"
        case .quit: break
        }
        return "ok"
    }

    /// Clears the terminal and shows the note.
    private func draw(_ answer: String = "") {
        var screen = "\u{1B}[2J\u{1B}[H"
        for (index, line) in note.text.lines.enumerated() { screen += "\(index + 1)\t\(line)\n" }
        screen += "-- \(note.localizedName)"
        if note.isDeleted { screen += ", deleted by somebody else; save creates it again" }
        if note.text.hasUnsavedChanges { screen += ", not saved" }
        output(screen + (answer.isEmpty ? "" : " -- " + answer) + "\n> ")
    }

    /// A sentence about the error, then what to do next.
    static func explain(_ error: any Error) -> String {
        guard let error = error as? DocumentsError else { return "error: \(error)" }
        return "error: \(error.message)" + (error.suggestion.map { " " + $0 } ?? "")
    }
}
