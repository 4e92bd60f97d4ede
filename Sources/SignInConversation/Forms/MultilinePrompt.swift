import CommandConsole
import DocentInterfaces
import Documents
import Glibc

/// Asks a person on the terminal for an answer of several lines, such as a private key.
enum MultilinePrompt {
    private static let longest = 64 << 10

    /// Asks for the answer.
    ///
    /// - Returns: the pasted text, or the content of the named file; empty if nothing was entered.
    /// - Throws: ``DocumentsError``: `invalidArgument` for a file that is not an answer, or an answer that is too long;
    ///   `cancelled` on a signal.
    static func ask(_ field: Wire.SignInField, hasStandard: Bool, home: String?) throws -> String {
        let isHidden = FormAnswers.isSecret(field)
        // Asked only after echo is off: earlier input is discarded.
        let text =
            try isHidden
            ? SecretPrompt.withoutEcho { try lines(after: question(field, hasStandard: hasStandard)) }
            : lines(after: question(field, hasStandard: hasStandard))
        if isHidden { StandardError.write("\n") }
        guard let path = fileName(text) else { return text }
        return try AnswerFile.text(path, for: field, home: home)
    }

    /// The text of the question. Pure.
    static func question(_ field: Wire.SignInField, hasStandard: Bool) -> String {
        let empty =
            hasStandard ? "; ^D alone keeps the current one" : field.isOptional == true ? "; ^D alone for none" : ""
        return SafeText.escaped(field.label)
            + "\n  Type @ and the name of a file, then Enter; or paste the answer, and end it with ^D on a "
            + "line of its own\(empty):\n"
    }

    /// The file that an answer names; nil if it names none. Pure.
    static func fileName(_ text: String) -> String? {
        guard text.hasPrefix("@") else { return nil }
        let rest = AnswerFile.withoutEnd(text).dropFirst()
        return rest.isEmpty || rest.utf8.contains(UInt8(ascii: "\n")) ? nil : String(rest)
    }

    // Reads to the end of input. A file's name is complete with its line.
    private static func lines(after question: String) throws -> String {
        StandardError.write(question)
        var text = ""
        while let line = try SecretPrompt.line() {
            text += line + "\n"
            if fileName(text) != nil { break }
            guard text.utf8.count <= longest else {
                throw DocumentsError(.invalidArgument, "The answer is longer than 64 KiB.")
            }
        }
        return text
    }
}
