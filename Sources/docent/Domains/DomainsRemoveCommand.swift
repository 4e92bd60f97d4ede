import ArgumentParser
import DocentInterfaces
import Documents

/// `docent domains remove`.
struct DomainsRemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a domain from a provider.",
        discussion: """
            The folder of a provider of local files stays as it is.

            EXAMPLES
              docent domains remove LocalFolder work
            """)

    @Argument(help: "The provider.")
    var provider: String

    @Argument(help: "The domain's identifier.")
    var name: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.RemoveDomain.self, .init(provider: provider, identifier: name))
    }
}
