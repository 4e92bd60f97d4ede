import CommandConsole
import DocentInterfaces

/// The text around a question that a provider asks during sign-in. Pure.
enum QuestionText {
    /// The heading above a question on a terminal: the account, and the provider's explanation. The explanation is
    /// indented, so that it cannot pass for a message from Docent.
    static func heading(_ field: Wire.SignInField, _ account: AccountName) -> String {
        var text = "\(SafeText.escaped(account.description)) asks:\n"
        for line in field.help?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
            text += "  \(SafeText.escaped(String(line)))\n"
        }
        return text
    }

    /// The question for an askpass program.
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
