import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// What narrows a list of grants.
struct GrantArguments: ParsableArguments {
    @Argument(help: "Only those of one document or folder.", transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(name: .long, help: ArgumentHelp("Only those of this client.", valueName: "id"))
    var client: String?

    @Option(name: .long, help: ArgumentHelp("Only those at this provider.", valueName: "id"))
    var provider: String?

    /// Whether nothing narrows.
    var isEverything: Bool { location == nil && client == nil && provider == nil }

    /// The grants that fit.
    func grants(_ administrator: DocumentsClient) async throws(DocumentsError) -> [Wire.Grant] {
        try await administrator.call(
            AdministrationInterface.ListGrants.self,
            .init(client: client, provider: provider, location: location?.wire)
        ).value.grants
    }
}

/// `docent grants`.
struct GrantsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "List who may do what with which document.",
        discussion: """
            EXAMPLES
              docent grants
              docent grants --client org.example.editor --json
              docent grants LocalFolder:/notes.txt
            """)

    @OptionGroup var arguments: GrantArguments
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let grants = try await arguments.grants(.administrator())
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(grants.map(JSONValue.init(grant:))).pretty)
        }
        try StandardOutput.write(Self.table(grants).text)
    }

    /// The grants for people.
    static func table(_ grants: [Wire.Grant]) -> Table {
        var table = Table(["CLIENT", "KIND", "ACCESS", "PROVIDER", "DOCUMENT", "ORIGIN", "CREATED"])
        for grant in grants {
            let provider = grant.domain.isEmpty ? grant.provider : "\(grant.provider)@\(grant.domain)"
            table.add([
                grant.client, grant.clientKind, grant.access, provider, grant.name ?? grant.identifier, grant.origin,
                Timestamp.text(grant.created) ?? "-",
            ])
        }
        return table
    }
}
