import ArgumentParser
import Documents

/// `docent bookmark create`.
struct BookmarkCreateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Open a document for a client and write its bookmark.",
        discussion: """
            EXAMPLES
              BOOKMARK=$(docent bookmark create LocalFolder:/notes.txt)
              docent bookmark create --read-only --client org.example.reader LocalFolder:/notes.txt
            """)

    @Argument(help: LocationText.help, transform: LocationText.parse)
    var location: DocumentLocation

    @Flag(name: .long, help: "Grant reading alone.")
    var readOnly = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let picker = DocumentPicker(client: client.makeClient())
        let document = try await picker.openDocument(at: location, access: readOnly ? .read : .readWrite)
        let bookmark = try await document.bookmark()
        try StandardOutput.write(
            format.json
                ? JSONValue(opened: document, bookmark: bookmark).pretty : SafeText.escaped(bookmark) + "\n")
    }
}
