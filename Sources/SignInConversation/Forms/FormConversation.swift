import CommandConsole
package import DocentInterfaces
import Documents
import Glibc

/// Asks a person on the terminal for answers that are not secret. Questions go to standard error: standard output is
/// for the result.
package enum FormConversation {
    /// Whether there is someone to ask.
    package static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && StandardError.isTerminal }

    /// Asks which of several forms to use.
    package static func choose(_ forms: [Wire.SignInForm]) throws -> Wire.SignInForm {
        StandardError.write("There are several ways to sign in:\n")
        let options = forms.map { ($0.identifier, $0.title + ($0.help.map { " - \($0)" } ?? "")) }
        return forms[try pick("Which one", options, standard: 0)]
    }

    /// Asks for all open fields. A question that is repeated offers the previous answer as its default.
    package static func fill(_ answers: inout FormAnswers, previous: [String: String] = [:], home: String?) throws {
        for field in answers.form.fields where answers.isOpen(field) {
            answers.take(try ask(field, standard: previous[field.key] ?? field.value, home: home), for: field)
        }
    }

    /// The meaning of an answer to a yes-or-no question: `yes`, `no`, or nil for neither. Pure.
    static func confirmation(_ text: String) -> String? {
        switch text.lowercased() {
        case "y", "yes": "yes"
        case "n", "no": "no"
        default: nil
        }
    }

    /// The prompt for an answer: `Address [https://h/]: `. Pure.
    package static func prompt(_ label: String, standard: String?, isOptional: Bool) -> String {
        let note = standard.map { " [\($0)]" } ?? (isOptional ? " (may be empty)" : "")
        return SafeText.escaped(label + note) + ": "
    }

    /// Asks for the answer to one field that is not secret, until the field accepts one.
    ///
    /// - Throws: ``DocumentsError``: `cancelled` at the end of input, and on a signal; `invalidArgument` if the field
    ///   does not accept an answer of several lines.
    static func ask(_ field: Wire.SignInField, standard: String?, home: String?) throws -> String {
        if let help = field.help { StandardError.write("  \(SafeText.escaped(help))\n") }
        if field.kind == "confirm" { return try confirm(field, standard: standard) }
        if field.isMultiline == true {
            let text = try MultilinePrompt.ask(field, hasStandard: standard != nil, home: home)
            if let problem = FormAnswers.problem(text.isEmpty ? standard ?? "" : text, field) {
                throw DocumentsError(.invalidArgument, problem)
            }
            return text.isEmpty ? standard ?? "" : text
        }
        if field.kind == "choice", let choices = field.choices, !choices.isEmpty {
            let index = choices.firstIndex { $0.value == standard }
            return choices[try pick(field.label, choices.map { ($0.value, $0.label) }, standard: index)]
                .value
        }
        while true {
            StandardError.write(
                prompt(field.label, standard: standard, isOptional: field.isOptional == true))
            let line = try answer()
            let value = line.isEmpty ? standard ?? "" : line
            guard let problem = FormAnswers.problem(value, field) else { return value }
            StandardError.write(SafeText.escaped(problem) + "\n")
        }
    }

    private static func confirm(_ field: Wire.SignInField, standard: String?) throws -> String {
        let note = standard == "yes" ? "Y/n" : standard == "no" ? "y/N" : "yes/no"
        while true {
            StandardError.write("\(SafeText.escaped(field.label)) [\(note)] ")
            let line = try answer()
            if line.isEmpty, let standard { return standard }
            if let answer = confirmation(line) { return answer }
            StandardError.write("Type yes or no.\n")
        }
    }

    /// Asks for one option of a list, by its number or its name.
    private static func pick(
        _ question: String, _ options: [(name: String, text: String)], standard: Int?
    ) throws -> Int {
        for (index, option) in options.enumerated() {
            StandardError.write("  \(index + 1)  \(SafeText.escaped(option.text))\n")
        }
        while true {
            StandardError.write(
                prompt(question, standard: standard.map { String($0 + 1) }, isOptional: false))
            let line = try answer()
            if line.isEmpty, let standard { return standard }
            if let number = Int(line), options.indices.contains(number - 1) { return number - 1 }
            if let index = options.firstIndex(where: { $0.name == line }) { return index }
            StandardError.write("Type a number from 1 to \(options.count).\n")
        }
    }

    private static func answer() throws -> String {
        guard let line = try SecretPrompt.line() else {
            StandardError.write("\n")
            throw DocumentsError(.cancelled, "Nothing was changed.")
        }
        var text = line[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
