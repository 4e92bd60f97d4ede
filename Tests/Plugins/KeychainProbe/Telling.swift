import Foundation

/// Every way in which a careless provider might reveal a secret.
enum Telling {
    /// A text that would end its line of a log, begin another one in the daemon's form, and reach the reader's
    /// terminal.
    static let forged =
        "said \r\n2026-01-01T00:00:00+0000 error docentd: forged=yes [docentd] \u{1B}[2J\u{9B}31m\u{7}\u{2028}\u{85}end"

    static func text(_ secret: String, _ username: String) -> String {
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let basic = Data("\(username):\(secret)".utf8).base64EncodedString()
        return "plain \(secret), escaped \(escaped), base64 \(Data(secret.utf8).base64EncodedString()), "
            + "Authorization: Basic \(basic), end"
    }
}
