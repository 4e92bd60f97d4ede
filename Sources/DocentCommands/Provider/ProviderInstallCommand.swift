import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import FoundationEssentials
import ProviderInstallation

struct ProviderInstallCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install a provider for yourself from a build, or update it.",
        discussion: """
            PATH is a build directory, a library, the directory of a package, or a directory with library and \
            manifests. Manifests are looked for beside the library, then in the directory manifests of the package. \
            Libraries beside it that it needs and finds by the RUNPATH $ORIGIN are copied as well. Everything is \
            checked before anything is copied; a provider is never left half installed. An earlier installation is \
            updated; files that somebody else put there are not touched.

            A provider is off until it is enabled. After an update with different manifests it must be enabled again.

            EXAMPLES
              docent provider install .build/debug
              docent provider install --enable ~/src/Postbox
              docent provider install --enable --yes build/libPostbox.so
            """)

    @Argument(help: "Where the provider was built.", completion: .directory)
    var path: String

    @Flag(name: .long, help: "Also enable it, after showing what it asks for.")
    var enable = false

    @Flag(name: .long, help: "Do not ask; only with --enable.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        if yes, !enable {
            throw ValidationError("--yes answers the question that --enable asks; give both, or neither.")
        }
    }

    func run() async throws {
        let environment = ManifestEnvironment(variables: ProcessInfo.processInfo.environment)
        let source = try ProviderSource.find(path)
        let (plan, directory) = try Self.install(source, environment)
        plan.notes.forEach { StandardError.write($0) }
        let provider = plan.provider.identifier
        if !format.json {
            try StandardOutput.write(
                "\(SafeText.escaped(provider)) is \(plan.isUpdate ? "updated" : "installed").\n")
        }
        var consent = try await Self.look(provider, restarts: plan.isUpdate)
        if let found = consent, enable {
            if found.state != "ready" { try await agree(to: found) }
            consent = try await DocumentsClient.administrator().consent(provider)
        }
        if format.json {
            return try StandardOutput.write(Self.record(plan, directory, consent).pretty)
        }
        try StandardOutput.write(Self.next(consent, provider, isUpdate: plan.isUpdate))
    }

    /// Puts the files in their places. The lock is held only during this call.
    private static func install(
        _ source: ProviderSource, _ environment: ManifestEnvironment
    ) throws -> (InstallationPlan, String) {
        let installed = try InstalledProviders(dataHome: environment.dataHome)
        let plan = try InstallationPlan(source, in: installed, environment)
        try installed.perform(plan.change)
        return (plan, installed.directory)
    }

    /// The daemon's current view of the provider; nil, with a message on standard error, if the daemon cannot be
    /// reached.
    private static func look(_ provider: String, restarts: Bool) async throws -> Wire.Consent? {
        let client = DocumentsClient.administrator()
        do {
            let consent = try await client.consent(provider)
            // Otherwise a process with the old library would go on serving until it is idle.
            if restarts, consent.state == "ready" || consent.state == "quarantined" {
                _ = try await client.call(AdministrationInterface.ResetProvider.self, .init(provider: provider))
                return try await client.consent(provider)
            }
            return consent
        } catch {
            StandardError.write("docent: the files are installed, but the daemon cannot be asked about them.\n")
            StandardError.write(ErrorReport.text(error, isVerbose: false))
            return nil
        }
    }

    private func agree(to consent: Wire.Consent) async throws {
        StandardError.write(ConsentText.text(consent))
        try Confirmation.require("Enable \(SafeText.escaped(consent.displayName))?", isGiven: yes)
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.EnableProvider.self,
            .init(provider: consent.provider, digest: consent.digest, unsandboxed: false, joinGroups: false))
    }

    private static func next(_ consent: Wire.Consent?, _ provider: String, isUpdate: Bool) -> String {
        let name = SafeText.escaped(provider)
        switch consent?.state {
        case "ready": return "It is enabled. Its documents: docent ls \(name):/\n"
        case "changed": return "It has changed, and is off until you run: docent provider enable \(name)\n"
        default: return "Enable it: docent provider enable \(name)\n"
        }
    }

    private static func record(
        _ plan: InstallationPlan, _ directory: String, _ consent: Wire.Consent?
    ) -> JSONValue {
        let files = plan.change.record?.files.map { directory + "/" + $0.path } ?? []
        return .object([
            "provider": .string(plan.provider.identifier),
            "displayName": .string(plan.provider.displayName),
            "updated": .bool(plan.isUpdate),
            "files": JSONValue(files),
            "digest": .string(plan.provider.digest),
            "enabled": consent.map { .bool($0.enabled) } ?? .null,
            "state": JSONValue(consent?.state),
        ])
    }
}
