import ArgumentParser
import CommandConsole
import FoundationEssentials
import ViewPolicies

struct PolicyListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the rules, and the programs that were refused.",
        discussion: """
            The rules are in the order in which they apply: your own, then the standard ones. Below them are the \
            programs that were refused since the folder was mounted, the last one at the end.

            EXAMPLES
              docent policy list
              docent policy list --json
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let store = try PolicyStore(environment)
        let policy = try store.policy()
        let refused = await ViewFolder.served(environment).flatMap { view in
            ViewFolder.attribute("refused", of: view).map { RefusedProgram.list($0) } ?? []
        }
        guard !format.json else {
            return try StandardOutput.write(JSONValue(policy: policy, file: store.path, refused: refused).pretty)
        }
        try StandardOutput.write(PolicyText.text(policy, refused: refused))
    }
}
