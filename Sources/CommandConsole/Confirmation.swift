import Documents
import Glibc

/// Asks a person for agreement before something is done.
package enum Confirmation {
    /// Asks on the terminal, unless the command line has answered.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if there is no terminal to ask on, `cancelled` for a no.
    package static func require(_ question: String, isGiven: Bool) throws {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
            throw DocumentsError(
                .invalidArgument, "This needs your confirmation, and there is no terminal to ask on.",
                suggestion: "Add --yes to confirm.")
        }
        StandardError.write("\(question) [y/N] ")
        try ContentPump.waitUntilReadable(STDIN_FILENO)
        let answer = readLine()?.lowercased() ?? ""
        guard ["y", "yes"].contains(answer) else { throw DocumentsError(.cancelled, "Nothing was changed.") }
    }
}
