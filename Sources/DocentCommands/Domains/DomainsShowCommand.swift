import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct DomainsShowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a domain: its state, how it signs in, and its settings.",
        discussion: """
            `docent domains set` changes these settings. A secret is not a setting and is never shown; a value whose \
            name or address indicates a secret is left out.

            EXAMPLES
              docent domains show webdav@work
              docent domains show webdav --json
            """)

    @Argument(
        help: "The account: PROVIDER[@DOMAIN].", completion: .custom(AccountCompletion.accounts),
        transform: AccountName.parse)
    var account: AccountName

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let domains = try await DocumentsClient.administrator().domains(provider: account.provider)
        guard let domain = domains.first(where: { $0.identifier == account.domain }) else {
            throw DocumentsError(
                .notFound, "There is no domain \"\(account)\".", suggestion: "`docent domains` lists them.")
        }
        try StandardOutput.write(
            format.json ? JSONValue(settingsOf: domain).pretty : DomainText.facts(domain))
    }
}
