package import Documents

/// Formats errors for standard error. Pure.
package enum ErrorReport {
    /// `docent: message`, followed by the causes and a hint.
    ///
    /// - Parameter isVerbose: whether to add the error's code, the provider, and the domain and number of each cause.
    package static func text(_ error: DocumentsError, isVerbose: Bool) -> String {
        var lines = ["docent: " + indented(error.message)]
        if isVerbose {
            lines.append("  code: \(SafeText.escaped(error.code.rawValue))")
            if let provider = error.provider { lines.append("  provider: \(SafeText.escaped(provider))") }
        }
        // Some errors contain the same message twice: as the provider's, and as the cause.
        for cause in error.causes where isVerbose || cause.message != error.message {
            let source = isVerbose ? " \(SafeText.escaped(cause.domain)) \(cause.code)" : ""
            lines.append("  caused by\(source): \(indented(cause.message))")
        }
        if let suggestion = error.suggestion ?? advice(error) { lines.append("  hint: \(indented(suggestion))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The parser's message in the same format.
    package static func usage(_ message: String) -> String {
        let prefix = "Error: "
        let text = message.hasPrefix(prefix) ? "docent: " + message.dropFirst(prefix.count) : message
        return SafeText.escapedLines(text) + "\n"
    }

    /// Advice for some kinds of error, if the error has none.
    private static func advice(_ error: DocumentsError) -> String? {
        guard error.code == .notAuthenticated else { return nil }
        return "Sign in with `docent login \(error.provider ?? "PROVIDER")@DOMAIN`; `docent domains` lists the domains."
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { SafeText.escaped(String($0)) }.joined(separator: "\n    ")
    }
}
