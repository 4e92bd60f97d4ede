package import Documents

/// How failures are told on standard error. Pure.
package enum ErrorReport {
    /// `docent: message`, its causes below, and what to do next.
    ///
    /// - Parameter isVerbose: also the kind of failure, the provider, and the domain and number of each cause.
    package static func text(_ error: DocumentsError, isVerbose: Bool) -> String {
        var lines = ["docent: " + indented(error.message)]
        if isVerbose {
            lines.append("  code: \(SafeText.escaped(error.code.rawValue))")
            if let provider = error.provider { lines.append("  provider: \(SafeText.escaped(provider))") }
        }
        // Some say the same twice, once as the provider's words and once as the cause.
        for cause in error.causes where isVerbose || cause.message != error.message {
            let source = isVerbose ? " \(SafeText.escaped(cause.domain)) \(cause.code)" : ""
            lines.append("  caused by\(source): \(indented(cause.message))")
        }
        if let suggestion = error.suggestion ?? advice(error) { lines.append("  hint: \(indented(suggestion))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The parser's message in the same form.
    package static func usage(_ message: String) -> String {
        let prefix = "Error: "
        let text = message.hasPrefix(prefix) ? "docent: " + message.dropFirst(prefix.count) : message
        return SafeText.escapedLines(text) + "\n"
    }

    /// What helps against some kinds of failure, where nobody said anything better.
    private static func advice(_ error: DocumentsError) -> String? {
        guard error.code == .notAuthenticated else { return nil }
        return "Sign in: `docent login \(error.provider ?? "PROVIDER")@DOMAIN`; `docent domains` lists them."
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { SafeText.escaped(String($0)) }.joined(separator: "\n    ")
    }
}
