import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct TransfersRetryCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry waiting or failed transfers at once.",
        discussion: """
            Without a filter, all of them. Prints their number.

            EXAMPLES
              docent transfers retry
              docent transfers retry 17
              docent transfers retry --provider webdav --domain work
            """)

    @Argument(help: "The transfer, as `docent transfers` names it.")
    var identifier: String?

    @Option(
        name: .long, help: ArgumentHelp("Only transfers of this provider.", valueName: "id"),
        completion: .custom(NameCompletion.providers))
    var provider: String?

    @Option(
        name: .long, help: ArgumentHelp("Only transfers of this domain.", valueName: "name"),
        completion: .custom(NameCompletion.domainsOfOption))
    var domain: String?

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let count = try await DocumentsClient.administrator().call(
            AdministrationInterface.RetryTransfers.self,
            .init(identifier: identifier, provider: provider, domain: domain)
        ).value.count
        try StandardOutput.write("retried: \(count)\n")
    }
}
