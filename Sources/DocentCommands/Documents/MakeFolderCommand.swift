import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct MakeFolderCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir", abstract: "Create an empty folder at a provider.",
        discussion: """
            The folder above must exist, and must not contain the name; names are compared without case.

            EXAMPLES
              docent mkdir LocalFolder:/Drafts
              docent mkdir webdav@work:/Reports/2026
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        guard !location.name.isEmpty else {
            throw DocumentsError(.conflict, "\(location) already exists.", suggestion: "Name a new folder in it.")
        }
        let client = client.makeClient()
        let operation = OperationIdentifier.make()
        let item = try await withActivity("Creating \(location)") { [location] _ in
            DocumentItem(
                try await client.call(
                    PickerInterface.MakeFolder.self,
                    .init(folder: location.parent.wire, name: location.name, operation: operation),
                    attempts: 4
                ).value.item)
        }
        if format.json { try StandardOutput.write(JSONValue(information: item, path: location.path).pretty) }
    }
}
