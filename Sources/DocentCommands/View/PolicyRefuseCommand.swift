import ArgumentParser
import CommandConsole
import FoundationEssentials
import ViewPolicies

struct PolicyRefuseCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Let a program download nothing.",
        discussion: """
            The program gets an error instead of a document that is not on this machine. The rule comes before all \
            others, and replaces one of yours about the same name.

            EXAMPLES
              docent policy refuse 'my-crawler*'
              docent policy refuse nightly-copy.service
            """)

    @Argument(help: PolicyText.programHelp, transform: PolicyText.parse)
    var program: DownloadRule.Subject

    @OptionGroup var report: ReportOptions

    func run() async throws {
        try PolicyStore(ProcessInfo.processInfo.environment).change { $0.set(.refuse, for: program) }
        try StandardOutput.write("\(SafeText.escaped(program.text)) downloads nothing.\n")
    }
}
