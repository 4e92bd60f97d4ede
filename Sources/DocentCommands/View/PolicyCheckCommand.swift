import ArgumentParser
import CommandConsole
import FoundationEssentials
import ViewPolicies

struct PolicyCheckCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what a program would get, and because of which rule.",
        discussion: """
            Changes nothing, and starts nothing.

            EXAMPLES
              docent policy check tumblerd
              docent policy check restic-home.service --json
            """)

    @Argument(help: PolicyText.programHelp, transform: PolicyText.parse)
    var program: DownloadRule.Subject

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let policy = try PolicyStore(ProcessInfo.processInfo.environment).policy()
        let verdict = policy.verdict(on: Self.caller(program))
        guard !format.json else {
            return try StandardOutput.write(JSONValue(verdict: verdict, policy: policy, on: program).pretty)
        }
        try StandardOutput.write(PolicyText.sentence(verdict, policy: policy, on: program))
    }

    /// A process of the program or unit, of which nothing else is known.
    private static func caller(_ subject: DownloadRule.Subject) -> CallingProgram {
        switch subject {
        case .program(let name): CallingProgram(executable: name.text)
        case .unit(let name): CallingProgram(executable: "", unit: name.text)
        }
    }
}
