import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import ViewPolicies

struct PolicyResetCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Return to the standard rule about a program, or to all of them and the limit.",
        discussion: """
            The standard rules and the standard limit apply then.

            EXAMPLES
              docent policy reset borg
              docent policy reset
            """)

    @Argument(help: PolicyText.programHelp, transform: PolicyText.parse)
    var program: DownloadRule.Subject?

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let store = try PolicyStore(ProcessInfo.processInfo.environment)
        guard let program else { return try store.reset() }
        try store.change { policy in
            guard policy.remove(program) else {
                throw DocumentsError(
                    .notFound, "No rule of yours is about \"\(program.text)\".",
                    suggestion: "`docent policy` lists the rules. Standard rules stay: a rule of yours overrides them.")
            }
        }
    }
}
