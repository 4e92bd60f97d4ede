import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct DomainsListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List domains.",
        discussion: """
            States: ready, offline (its service cannot be reached), not authenticated (run `docent login`), locked \
            (unlock the keyring that has its secret), signing out, signed out. PENDING counts changes that wait to be \
            sent, LOCAL is the space that local copies take. WHERE ends with (unprotected) if you agreed to sign in \
            without https.

            EXAMPLES
              docent domains list
              docent domains list --provider LocalFolder --json
            """)

    @Option(
        name: .long, help: ArgumentHelp("Only domains of this provider.", valueName: "id"),
        completion: .custom(NameCompletion.providers))
    var provider: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let domains = try await DocumentsClient.administrator().domains(provider: provider)
        try StandardOutput.write(
            format.json
                ? JSONValue.array(domains.map(JSONValue.init(domain:))).pretty : DomainText.table(domains).shown)
    }
}

extension DocumentsClient {
    /// The domains of one provider, or of all.
    func domains(provider: String?) async throws(DocumentsError) -> [Wire.Domain] {
        try await call(AdministrationInterface.ListDomains.self, .init(provider: provider)).value.domains
    }
}
