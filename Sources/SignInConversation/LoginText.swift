import CommandConsole
package import DocentInterfaces
package import Documents

/// The output of `docent login`. Pure.
package enum LoginText {
    /// Where the secret will be kept. Shown before the secret is asked for.
    package static func storage(_ storage: Wire.CredentialStorage) -> String {
        var text = "The secret will be kept in \(storage.name).\n  \(storage.protection)\n"
        // The keyring is expected; anything else needs a reason.
        if storage.rung != "secretService" {
            text += "  \(storage.reason)\n"
            if let remedy = storage.remedy { text += "  For a better place: \(remedy)\n" }
        }
        return SafeText.escapedLines(text)
    }

    /// The same for `--session`.
    package static let session =
        "The secret will be kept only in the daemon's memory, and is gone with the daemon.\n"

    /// The error if there is no place for the secret. Thrown before the secret is asked for.
    package static func noStorage(_ storage: Wire.CredentialStorage) -> DocumentsError {
        let first =
            storage.remedy
            ?? "Start and unlock a keyring with the Secret Service interface, or agree to a sealed file: docent login --sealed-file."
        return DocumentsError(
            .unavailable, "There is no place to keep the secret. \(storage.reason)",
            suggestion: first + """

                The key of the sealed file is beside it, so that whoever can read your files can read the secret.
                Or let systemd pass the secret to the daemon (`docent domains add --credential NAME`),
                or keep it only in the daemon's memory, until the daemon exits, with --session.
                """)
    }

    /// The instructions for a step.
    ///
    /// - Parameter isOpened: whether a browser was started for it.
    package static func step(_ step: Wire.SignInStep, isOpened: Bool) -> String {
        let text: String
        switch step.kind {
        case "open":
            let url = step.url ?? ""
            text =
                isOpened
                ? "A browser was opened for you to sign in. If you do not see it, go to\n\n    \(url)\n\n"
                : "Sign in with a browser on this machine, at\n\n    \(url)\n\n"
        case "code":
            let shortcut = step.completeURL.map { "Or go straight to\n\n    \($0)\n\n" } ?? ""
            text = """
                With a browser, on any device, go to

                    \(step.url ?? "")

                and type this code:

                    \(step.userCode ?? "")


                """ + shortcut
        default: text = ""
        }
        let message = step.message.map { $0 + "\n" } ?? ""
        return SafeText.escapedLines(message + text)
    }

    /// As in `Waiting for the browser, 9 min 32 s left`; without a deadline, the elapsed time.
    package static func waiting(_ what: String, seconds: Int, left: Int?) -> String {
        if let left { return "\(what), \(ProgressLine.duration(max(0, left))) left" }
        return "\(what)  \(seconds) s"
    }

    /// The message after a login.
    package static func done(_ name: AccountName, _ domain: Wire.Domain?, _ storage: Wire.CredentialStorage?)
        -> String
    {
        let user = domain?.settings?["username"].map { " as \($0)" } ?? ""
        let place = storage.map { "; the secret is in \($0.name)" } ?? ""
        return SafeText.escaped("\(name) is signed in\(user)\(place).") + "\n"
    }
}
