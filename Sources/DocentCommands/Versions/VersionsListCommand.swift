import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct VersionsListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List kept versions.",
        discussion: """
            EXAMPLES
              docent versions list
              docent versions list --json webdav@work:/plan.txt
            """)

    @Argument(
        help: "Only versions of this document.", completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Also list what saves have replaced.")
    var all = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let versions = try await DocumentsClient.administrator().call(
            AdministrationInterface.Versions.self, .init(location: location?.wire, all: all ? true : nil)
        ).value.versions
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(versions.map(JSONValue.init(version:))).pretty)
        }
        try StandardOutput.write(Self.table(versions).shown)
    }

    /// The versions, formatted for people.
    static func table(_ versions: [Wire.Version]) -> Table {
        var table = Table(["ID", "DOCUMENT", "DOMAIN", "REASON", "SIZE", "CREATED"], numbers: [4])
        for version in versions {
            table.add([
                version.identifier, version.name, TransferText.domain(version.reference), version.reason,
                ByteCount.text(version.size), Timestamp.text(version.created) ?? "-",
            ])
        }
        return table
    }
}
