import ArgumentParser
import CommandConsole
import FoundationEssentials
import ViewPolicies

struct PolicyAllowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let a program download as many documents as it opens.",
        discussion: """
            For a program that a standard rule refuses, or that needs more documents within a minute than the limit. \
            The rule comes before all others, and replaces one of yours about the same name.

            EXAMPLES
              docent policy allow borg
              docent policy allow restic-home.service
            """)

    @Argument(help: PolicyText.programHelp, transform: PolicyText.parse)
    var program: DownloadRule.Subject

    @OptionGroup var report: ReportOptions

    func run() async throws {
        try PolicyStore(ProcessInfo.processInfo.environment).change { $0.set(.allow, for: program) }
        try StandardOutput.write("\(SafeText.escaped(program.text)) downloads as many documents as it opens.\n")
    }
}
