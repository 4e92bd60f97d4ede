import ArgumentParser
import CommandConsole
import DesktopNotices
import DocentInterfaces
import Documents
import Varlink

struct ConflictsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List the documents with conflicts that nobody has settled.",
        discussion: """
            A document is listed if it was changed here and elsewhere at the same time, if a change from here can no \
            longer be sent, or if it was deleted elsewhere before that. What was saved here is kept as a version beside \
            it; the content from elsewhere is the current one.

            EXAMPLES
              docent conflicts
              docent conflicts --json
              docent resolve webdav@work:/plan.txt --keep both
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let versions = try await DocumentsClient.administrator().call(
            AdministrationInterface.Versions.self, .init(unresolved: true)
        ).value.versions
        let conflicts = ConflictedDocument.group(versions)
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(conflicts.map(JSONValue.init(conflict:))).pretty)
        }
        try StandardOutput.write(Self.table(conflicts).shown)
    }

    /// The documents, formatted for people; a document that is gone has only its name.
    static func table(_ conflicts: [ConflictedDocument]) -> Table {
        var table = Table(["DOCUMENT", "VERSION", "SAVED", "SIZE", "WHY"], numbers: [3])
        for conflict in conflicts {
            for version in conflict.versions {
                table.add([
                    conflict.location?.description ?? conflict.name, version.identifier,
                    Timestamp.text(version.modificationDate ?? version.created) ?? "-", ByteCount.text(version.size),
                    version.reason,
                ])
            }
        }
        return table
    }
}
