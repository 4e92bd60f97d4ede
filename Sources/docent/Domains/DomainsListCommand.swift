import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// `docent domains list`.
struct DomainsListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List domains.",
        discussion: """
            EXAMPLES
              docent domains list
              docent domains list --provider LocalFolder --json
            """)

    @Option(name: .long, help: ArgumentHelp("Only those of this provider.", valueName: "id"))
    var provider: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let domains = try await DocumentsClient.administrator().call(
            AdministrationInterface.ListDomains.self, .init(provider: provider)
        ).value.domains
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(domains.map(JSONValue.init(domain:))).pretty)
        }
        var table = Table(["PROVIDER", "DOMAIN", "NAME", "FOLDER"])
        for domain in domains {
            table.add([domain.provider, domain.identifier, domain.displayName, domain.folder ?? "-"])
        }
        try StandardOutput.write(table.text)
    }
}
