import Documents
import Glibc

/// Asks a person for agreement before something is done.
package enum Confirmation {
    /// Offers something on the terminal. Enter means yes, and so does a command without a terminal.
    ///
    /// - Throws: `CancellationError` if the input ends.
    package static func offer(_ question: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return true }
        StandardError.write("\(question) [Y/n] ")
        try ContentPump.waitUntilReadable(STDIN_FILENO)
        guard let answer = readLine()?.lowercased() else { throw CancellationError() }
        return ["", "y", "yes"].contains(answer)
    }

    /// Asks on the terminal, unless the command line has answered.
    ///
    /// - Parameter otherwise: says what a no means.
    /// - Throws: ``DocumentsError`` `invalidArgument` if there is no terminal to ask on, `cancelled` for a no.
    package static func require(
        _ question: String, isGiven: Bool, otherwise: String = "Nothing was changed."
    ) throws {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
            throw DocumentsError(
                .invalidArgument, "This needs your confirmation, and there is no terminal to ask on.",
                suggestion: "Add --yes to confirm.")
        }
        StandardError.write("\(question) [y/N] ")
        try ContentPump.waitUntilReadable(STDIN_FILENO)
        let answer = readLine()?.lowercased() ?? ""
        guard ["y", "yes"].contains(answer) else { throw DocumentsError(.cancelled, otherwise) }
    }
}
