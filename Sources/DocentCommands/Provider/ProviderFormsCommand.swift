import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct ProviderFormsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "forms", abstract: "Show the ways to sign in to a provider, and what each asks for.",
        discussion: """
            For each way, shows its name for `docent login`, and what it asks for, with the option that answers it. \
            Questions come during the sign-in, if at all. With a domain, the defaults are what is known of that \
            account, but never a secret. The service is not asked.

            EXAMPLES
              docent provider forms webdav
              docent provider forms webdav@work --json
            """)

    @Argument(
        help: "The provider, or an account of it: PROVIDER[@DOMAIN].", completion: .custom(AccountCompletion.accounts),
        transform: AccountName.parse)
    var account: AccountName

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let prepared = try await DocumentsClient.administrator().call(
            AdministrationInterface.PrepareLogin.self, .init(provider: account.provider, domain: account.domain)
        ).value
        try StandardOutput.write(
            format.json ? JSONValue(forms: prepared.forms, of: prepared.provider).pretty : FormText.text(prepared.forms)
        )
    }
}
