import CommandConsole
import DocentInterfaces

/// The words around a question that a provider asks while somebody signs in. Pure.
enum QuestionText {
    /// What stands above the question on a terminal: who asks, and what the provider says about it, indented, so that it cannot pass for
    /// something that Docent says.
    static func heading(_ field: Wire.SignInField, _ account: AccountName) -> String {
        var text = "\(SafeText.escaped(account.description)) asks:\n"
        for line in field.help?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
            text += "  \(SafeText.escaped(String(line)))\n"
        }
        return text
    }

    /// The question for a program that asks.
    static func askpass(_ field: Wire.SignInField, _ account: AccountName) -> String {
        let answers =
            switch field.kind {
            case "confirm": " (yes or no)"
            case "choice": " (\(field.choices?.map(\.value).joined(separator: ", ") ?? ""))"
            default: ""
            }
        let help = field.help.map { $0 + "\n" } ?? ""
        return SafeText.escapedLines("\(help)\(field.label)\(answers) for \(account): ")
    }
}
