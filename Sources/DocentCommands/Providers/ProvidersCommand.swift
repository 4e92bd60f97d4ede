import ArgumentParser
import ClientRunning
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import FoundationEssentials
import ProviderInstallation
import Varlink

struct ProvidersCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the providers.",
        discussion: """
            States: ready, disabled, changed (look at it and enable it again), quarantined, broken. If the \
            administrator's update of a provider asks for more, the provider is ready, and runs without the addition \
            until you enable it again.

            EXAMPLES
              docent providers
              docent providers --all
              docent providers --mode open --type public.plain-text
              docent providers --json | jq -r '.[].identifier'
            """)

    /// The mode that providers are filtered by.
    enum Mode: String, ExpressibleByArgument, CaseIterable { case `import`, open, export, move }

    @Flag(name: .long, help: "Also list providers that are disabled or broken.")
    var all = false

    @Option(name: .long, help: "Only providers that take part in a mode.")
    var mode: Mode?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only providers that have documents of this uniform type; may be repeated.", valueName: "uti"))
    var type: [String] = []

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let providers = try await client.call(
            PickerInterface.ListProviders.self,
            .init(mode: mode?.rawValue, types: type.isEmpty ? nil : type, all: all)
        ).value.providers
        let broken = try await client.call(AdministrationInterface.ListBroken.self, .init()).value.broken
        guard !format.json else {
            var records = providers.map(JSONValue.init(provider:))
            if all { records += broken.filter(Self.hasError).map(Self.record) }
            return try StandardOutput.write(JSONValue.array(records).pretty)
        }
        try StandardOutput.write(Self.table(providers).shown)
        StandardError.write(providers.map(Self.withheld).joined())
        let environment = ProcessInfo.processInfo.environment
        if providers.isEmpty,
            let manifests = OwnPrefix.unsearchedManifests(environment, programFolder: OwnProgram.folder)
        {
            let text = "the providers of this installation are in \(manifests), which is not searched"
            StandardError.write("docent: \(SafeText.escaped(text)).\n  hint: \(OwnPrefix.remedy(manifests))\n")
        } else if providers.isEmpty, !all {
            StandardError.write("docent: no provider is enabled; `docent providers --all` lists what is installed.\n")
        }
        guard all else {
            for manifest in broken {
                guard let problem = manifest.problems.first(where: { $0.severity == "error" }) else { continue }
                let text = "\(manifest.manifest) cannot be used: \(problem.message)"
                StandardError.write("docent: \(SafeText.escaped(text))\n")
            }
            return
        }
        try StandardOutput.write(Self.text(broken))
    }

    /// The providers, formatted for people.
    static func table(_ providers: [Wire.ProviderSummary]) -> Table {
        // The default domain has no name.
        func domains(_ names: [String]) -> String {
            names.map { $0.isEmpty ? "(default)" : $0 }.joined(separator: ",")
        }
        var table = Table(["NAME", "IDENTIFIER", "STATE", "MODES", "DOMAINS"])
        for provider in providers {
            var state = provider.sandboxed ? provider.state : "\(provider.state), unsandboxed"
            if provider.withheld?.isEmpty == false { state += ", asks for more" }
            table.add([
                provider.displayName, provider.identifier, state,
                provider.modes.joined(separator: ","), domains(provider.domains),
            ])
        }
        return table
    }

    /// What a provider does not get until the user agrees, and the command to agree; empty if nothing is withheld.
    static func withheld(_ provider: Wire.ProviderSummary) -> String {
        guard let withheld = provider.withheld, !withheld.isEmpty else { return "" }
        let name = SafeText.escaped(provider.identifier)
        let what = SafeText.escaped(withheld.map(\.explanation).joined(separator: ", "))
        return "docent: \(name) asks for more than you agreed to, and runs without it: \(what).\n"
            + "  hint: If you agree, run `docent provider enable \(name)`.\n"
    }

    // Manifests of known extension points without a counterpart, and shadowed manifests, have no errors.
    private static func hasError(_ manifest: Wire.BrokenManifest) -> Bool {
        manifest.problems.contains { $0.severity == "error" }
    }

    /// A broken manifest as a record among the providers.
    private static func record(_ manifest: Wire.BrokenManifest) -> JSONValue {
        let environment = ManifestEnvironment(variables: ProcessInfo.processInfo.environment)
        let identifier = ManifestReader(environment: environment).read(manifest.manifest).bundleIdentifier
        return JSONValue(
            broken: manifest, identifier: identifier.map { ExtensionManifest.containingIdentifier(of: $0) })
    }

    /// Manifests that cannot be used, or are not used, with the reasons.
    static func text(_ broken: [Wire.BrokenManifest]) -> String {
        broken.map { manifest in
            "\n\(SafeText.escaped(manifest.manifest)) \(hasError(manifest) ? "cannot be used" : "is not used"):\n"
                + manifest.problems.map(ProblemText.text).joined()
        }.joined()
    }
}
