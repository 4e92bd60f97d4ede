import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import FoundationEssentials
import ProviderInstallation
import SignInConversation
import Varlink

struct ProviderUninstallCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove a provider that `docent provider install` installed.",
        discussion: """
            Removes exactly the files that were installed, except those that somebody has changed since, and names \
            those. The provider is disabled. Its domains, documents and waiting changes stay, and are available again \
            when the provider is installed and enabled once more. If changes wait to be sent, you are asked first.

            EXAMPLES
              docent provider uninstall org.example.Postbox
              docent provider uninstall --json Postbox
            """)

    @Argument(
        help: "The provider: its bundle identifier, or the last component of it.",
        completion: .custom(NameCompletion.providers))
    var name: String

    @Flag(name: .long, help: "Do not ask, even if changes wait to be sent.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ManifestEnvironment(variables: ProcessInfo.processInfo.environment)
        let provider = try Self.requireRecord(name, environment).provider
        let domains = await Self.domains(provider)
        let waiting = Self.waiting(domains)
        if waiting > 0 {
            let what = "\(DrainOutcome.changes(waiting)) \(waiting == 1 ? "was" : "were") not sent"
            guard yes || FormConversation.hasTerminal else {
                throw DocumentsError(
                    .invalidArgument, "\(what), and there is no terminal to ask on.",
                    suggestion:
                        "Run `docent drain`, or add --yes: unsent changes are kept until it is installed again.")
            }
            try Confirmation.require(
                "\(what), and will be kept until it is installed and enabled again. "
                    + "Uninstall \(SafeText.escaped(provider))?",
                isGiven: yes)
        }
        await Self.disable(provider)
        let installed = try InstalledProviders(dataHome: environment.dataHome)
        guard let record = try installed.record(named: provider) else {
            throw DocumentsError(.conflict, "\(provider) was uninstalled meanwhile.")
        }
        let gone = record.files.filter { $0.isUnchanged(below: installed.directory) }.map(\.path)
        let kept = record.files.filter {
            !gone.contains($0.path) && InstallationRecord.File(path: $0.path, below: installed.directory) != nil
        }.map { installed.directory + "/" + $0.path }
        try installed.perform(InstallationChange(removing: gone, of: provider))
        if format.json {
            return try StandardOutput.write(
                JSONValue.object([
                    "provider": .string(provider), "removed": JSONValue(gone.map { installed.directory + "/" + $0 }),
                    "kept": JSONValue(kept), "domains": JSONValue(domains.map(\.identifier)),
                ]).pretty)
        }
        try StandardOutput.write(Self.text(provider, kept, domains))
    }

    private static func requireRecord(_ name: String, _ environment: ManifestEnvironment) throws -> InstallationRecord {
        let installed = try InstalledProviders(dataHome: environment.dataHome)
        guard let record = try installed.record(named: name) else {
            throw DocumentsError(
                .notFound, "\"\(name)\" was not installed with `docent provider install`.",
                suggestion:
                    "`docent provider show` shows where a provider's files are; `docent provider disable` turns it off."
            )
        }
        return record
    }

    /// The provider's domains, if the daemon can be reached. It does not know a provider whose manifest can no longer
    /// be used.
    private static func domains(_ provider: String) async -> [Wire.Domain] {
        let client = DocumentsClient.administrator()
        return
            (try? await client.call(
                AdministrationInterface.ListDomains.self, .init(provider: provider)
            ).value.domains) ?? []
    }

    /// The number of unsent changes, including those that are no longer retried.
    private static func waiting(_ domains: [Wire.Domain]) -> Int {
        domains.reduce(0) { $0 + ($1.pendingChanges ?? 0) + ($1.failedChanges ?? 0) }
    }

    /// Disables the provider, so that its processes end, and consent is needed again when it comes back.
    private static func disable(_ provider: String) async {
        let client = DocumentsClient.administrator()
        do {
            _ = try await client.call(AdministrationInterface.DisableProvider.self, .init(provider: provider))
        } catch {
            // The daemon does not know a provider whose manifest can no longer be used, and runs no process for it.
            guard error.code != .notFound else { return }
            StandardError.write("docent: the daemon cannot be asked to disable the provider first.\n")
            StandardError.write(ErrorReport.text(error, isVerbose: false))
        }
    }

    private static func text(_ provider: String, _ kept: [String], _ domains: [Wire.Domain]) -> String {
        let name = SafeText.escaped(provider)
        var text = "\(name) is uninstalled.\n"
        if !kept.isEmpty {
            text += "Not removed, because they have changed since the installation:\n"
            text += kept.map { "  \(SafeText.escaped($0))\n" }.joined()
        }
        let waiting = waiting(domains)
        if waiting > 0 {
            text += "\(DrainOutcome.changes(waiting)) \(waiting == 1 ? "was" : "were") not sent, and kept until it is "
            text += "installed and enabled again.\n"
        }
        text += "Its documents are kept here.\n"
        for domain in domains where !domain.identifier.isEmpty {
            text += "To remove an account: docent domains remove \(name) \(SafeText.escaped(domain.identifier))\n"
        }
        return text
    }
}
