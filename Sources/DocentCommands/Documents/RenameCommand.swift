import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct RenameCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a document or folder, or move it within its provider.",
        discussion: """
            NEW is a name, or with a leading slash a place in the same domain; an existing folder, or one written with \
            a trailing slash, keeps the name. Nothing is ever replaced; names are compared without case. Grants and \
            bookmarks follow, also those for the contents of a folder. The new location is written to standard output.

            EXAMPLES
              docent rename LocalFolder:/notes.txt plan.txt
              docent rename webdav@work:/plan.txt /Archive/
              docent rename webdav@work:/Reports /Archive/Reports-2026
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @Argument(help: ArgumentHelp("The new name, or the new place: /FOLDER/, or /FOLDER/NAME.", valueName: "new"))
    var new: String

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard new.hasPrefix("/") || (!new.isEmpty && !new.contains("/")) else {
            throw ValidationError(
                "NEW must be a name without slashes, or a place that begins with a slash: /FOLDER/NAME.")
        }
    }

    func run() async throws {
        let client = client.makeClient()
        let destination = try await destination(DocumentPicker(client: client))
        let operation = OperationIdentifier.make()
        let moves = destination.folder != location.parent
        let item = try await withActivity("Renaming \(location)") { [location] _ in
            DocumentItem(
                try await client.call(
                    PickerInterface.MoveItem.self,
                    .init(
                        location: location.wire, folder: moves ? destination.folder.wire : nil, name: destination.name,
                        operation: operation), attempts: 4
                ).value.item)
        }
        let place = destination.location(of: item)
        try StandardOutput.write(
            format.json
                ? JSONValue(information: item, path: place.path).pretty : SafeText.escaped(place.description) + "\n")
    }

    private func destination(_ picker: DocumentPicker) async throws -> Destination {
        guard new.hasPrefix("/") else {
            let path = location.parent.path + "/" + new
            return Destination(
                DocumentLocation(provider: location.provider, domain: location.domain, path: path), fileName: new,
                isFolder: nil)
        }
        let place = DocumentLocation(provider: location.provider, domain: location.domain, path: new)
        // The item itself is not a folder to move into.
        guard !place.name.isEmpty, !new.hasSuffix("/"), place != location else {
            return Destination(place, fileName: location.name, isFolder: place != location)
        }
        return Destination(
            place, fileName: location.name, isFolder: try await picker.existing(at: place)?.isFolder)
    }
}
