import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct DomainsSetCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a domain: its name, its settings, or how it signs in.",
        discussion: """
            Without NAME it is the provider's default domain: this is how a provider that needs no sign-in gets its \
            settings. What you do not name stays unchanged. An empty value removes a setting: --set quotaBytes=. With \
            a new password, changes that waited for it continue; for a password in the keyring use `docent login`. If \
            something is then wrong with the domain, standard error says so.

            EXAMPLES
              docent domains set Gallery --set root=/srv/pictures
              docent domains set webdav work --password-file ~/.dav
              docent domains set webdav work --session
              docent domains set webdav work --set quotaBytes=2000000000 \\
                --display-name "Work"
            """)

    @Argument(help: "The provider.", completion: .custom(NameCompletion.providers))
    var provider: String

    @Argument(
        help: "The domain's identifier; without it the default domain.", completion: .custom(NameCompletion.domains))
    var name: String?

    @OptionGroup var account: AccountOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard
            account.displayName != nil || account.url != nil || account.username != nil || account.hasCredential
                || account.certificateAuthority != nil || !account.set.isEmpty
        else { throw ValidationError("Say what to change, for example --password-file FILE.") }
    }

    func run() async throws {
        let settings = try account.settings()
        let credential = try account.wireCredential()
        let domain = try await MovedAddress.following(settings) { settings in
            try await withActivity("Signing in", isShown: credential != nil) { _ in
                try await DocumentsClient.administrator().call(
                    AdministrationInterface.ChangeDomain.self,
                    .init(
                        provider: provider, identifier: name ?? "", displayName: account.displayName,
                        settings: settings,
                        credential: credential)
                ).value.domain
            }
        }
        guard domain.state ?? "ready" != "ready" else { return }
        StandardError.write("docent: \(SafeText.escaped("\(name ?? provider) is \(DomainText.state(domain))"))\n")
    }
}
