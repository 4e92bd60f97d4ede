import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import Varlink

struct DomainsAddCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a domain to a provider: a folder, or an account of a service.",
        discussion: """
            For a folder, the provider's sandbox is opened for that folder and nothing else of yours. For an account, \
            the service is asked at once, and the account is added only if the service answers and lets you in, unless \
            --unchecked is given. If the provider is not enabled, its service cannot be asked; standard error says so. \
            To keep a password in the keyring, or to use a browser, use `docent login`, which \
            adds the account too. A sign-in with --password-file lasts; one with --session is gone with the daemon, \
            which then does not leave by itself.

            EXAMPLES
              docent domains add LocalFolder work --folder ~/Work
              docent domains add LocalFolder music --folder /srv/music \\
                --display-name "Our music"
              docent domains add webdav work --url https://example.org/dav/ \\
                --username ada --password-file ~/.dav
            """)

    @Argument(help: "The provider.", completion: .custom(NameCompletion.providers))
    var provider: String

    @Argument(help: "The domain's identifier, as in locations after the @.")
    var name: String

    @Option(
        name: .long, help: ArgumentHelp("The folder of a provider of local files.", valueName: "path"),
        completion: .directory)
    var folder: String?

    @OptionGroup var account: AccountOptions

    @Flag(name: .long, help: "Add it without asking its service first.")
    var unchecked = false

    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !name.isEmpty, !name.contains(where: { "@:/".contains($0) }) else {
            throw ValidationError("A domain's identifier must not be empty, and must not contain @, : or /.")
        }
        guard let folder else { return }
        guard !folder.isEmpty else { throw ValidationError("The folder's path is empty.") }
        guard account.url == nil else {
            throw ValidationError("Give either --folder or --url: a domain is a folder or an account.")
        }
    }

    func run() async throws {
        let settings = try account.settings()
        let credential = try account.wireCredential()
        try await MovedAddress.following(settings) { settings in
            let domain = Wire.Domain(
                provider: provider, identifier: name, displayName: account.displayName ?? name,
                folder: folder.map { Self.absolute($0, from: ManifestEnvironment.workingDirectory()) },
                settings: settings)
            let doing = credential == nil ? "Asking the service" : "Signing in"
            let reply = try await withActivity(doing, isShown: folder == nil && !unchecked) { _ in
                try await DocumentsClient.administrator().call(
                    AdministrationInterface.AddDomain.self,
                    .init(domain: domain, credential: credential, unchecked: unchecked ? true : nil)
                ).value
            }
            if let found = reply.found { try StandardOutput.write(SafeText.escaped(found) + "\n") }
            if let reason = reply.notAsked {
                let hint = reply.suggestion.map { "  hint: \(SafeText.escaped($0))\n" } ?? ""
                StandardError.write("docent: \(SafeText.escaped(reason))\n" + hint)
            }
        }
    }

    /// An absolute path for the daemon, which has another working directory.
    static func absolute(_ path: String, from directory: String) -> String {
        if path.hasPrefix("/") { return path }
        return (directory.hasSuffix("/") ? directory : directory + "/") + path
    }
}
