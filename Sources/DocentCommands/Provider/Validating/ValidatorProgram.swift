import Documents
import FoundationEssentials
import ProcessLaunching

/// The program that runs the cases. It replaces this one, so that the terminal, signals and exit code are its own.
enum ValidatorProgram {
    private static let name = "docent-provider-validator"

    /// Replaces this program.
    ///
    /// - Throws: ``DocumentsError`` `unavailable` if there is no such program, or if it cannot be started.
    static func become(_ arguments: [String]) throws(DocumentsError) -> Never {
        let environment = ProcessInfo.processInfo.environment
        guard let program = DaemonLauncher.program(name, variable: "DOCENT_VALIDATOR", environment: environment) else {
            throw DocumentsError(
                .unavailable, "\(name) was not found.",
                suggestion: "Install Docent, or name the program in DOCENT_VALIDATOR.")
        }
        do {
            try ProgramReplacement.become(program, arguments)
        } catch {
            throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).")
        }
    }
}
