import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// `docent providers`.
struct ProvidersCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the providers.",
        discussion: """
            States: ready, disabled, changed (look at it and enable it again), quarantined, broken.

            EXAMPLES
              docent providers
              docent providers --all
              docent providers --mode open --type public.plain-text
              docent providers --json | jq -r '.[].identifier'
            """)

    /// One of the four modes.
    enum Mode: String, ExpressibleByArgument, CaseIterable { case `import`, open, export, move }

    @Flag(name: .long, help: "Also those that are disabled or broken.")
    var all = false

    @Option(name: .long, help: "Only those that take part in a mode.")
    var mode: Mode?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those that have documents of this uniform type; again for more.", valueName: "uti"))
    var type: [String] = []

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let providers = try await client.call(
            PickerInterface.ListProviders.self,
            .init(mode: mode?.rawValue, types: type.isEmpty ? nil : type, all: all)
        ).value.providers
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(providers.map(JSONValue.init(provider:))).pretty)
        }
        try StandardOutput.write(Self.table(providers).text)
        if providers.isEmpty, !all {
            StandardError.write("docent: no provider is enabled; `docent providers --all` lists what is installed.\n")
        }
        guard all else { return }
        let broken = try await client.call(AdministrationInterface.ListBroken.self, .init()).value.broken
        try StandardOutput.write(Self.text(broken))
    }

    /// The providers for people.
    static func table(_ providers: [Wire.ProviderSummary]) -> Table {
        var table = Table(["NAME", "IDENTIFIER", "STATE", "MODES", "DOMAINS"])
        for provider in providers {
            table.add([
                provider.displayName, provider.identifier,
                provider.sandboxed ? provider.state : "\(provider.state), unsandboxed",
                provider.modes.joined(separator: ","), provider.domains.joined(separator: ","),
            ])
        }
        return table
    }

    /// Manifests that cannot be used, and why.
    static func text(_ broken: [Wire.BrokenManifest]) -> String {
        broken.map { manifest in
            "\n\(SafeText.escaped(manifest.manifest)) cannot be used:\n"
                + manifest.problems.map(ProblemText.text).joined()
        }.joined()
    }
}
