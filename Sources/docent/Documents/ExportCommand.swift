import ArgumentParser
import Documents

/// `docent export`.
struct ExportCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy a file to a provider; the file stays.",
        discussion: """
            LOCATION is a folder, or a folder and a new name. Nothing is ever replaced. The new document's location is \
            written to standard output. No right is recorded.

            EXAMPLES
              docent export report.pdf LocalFolder:/
              docent export report.pdf LocalFolder:/Reports/2026.pdf
            """)

    @Argument(help: "A regular file of this machine.", completion: .file())
    var file: String

    @Argument(help: "The folder, or the folder and a new name.", transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let source = try LocalFile(reading: file)
        let picker = DocumentPicker(client: client.makeClient())
        let destination = try await Destination.find(location, file: file, picker: picker)
        let descriptor = source.descriptor
        let item = try await withActivity("Exporting \(file)") { _ in
            try await picker.exportDocument(from: descriptor, to: destination.folder, name: destination.name)
        }
        try StandardOutput.write(SafeText.escaped(destination.location(of: item).description) + "\n")
    }
}

extension Destination {
    /// Where the document lies that came of it: the provider may have chosen another name.
    func location(of item: DocumentItem) -> DocumentLocation {
        var made = location
        if let path = item.path {
            made.path = path
        } else if item.name != name {
            made = Destination(folder, fileName: item.name, isFolder: true).location
        }
        return made
    }
}
