import ArgumentParser
import Documents

/// `docent open`.
struct OpenCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Grant a document to a client, and make a bookmark of it.",
        discussion: """
            The client may then read and change the document where it lies, also in later sessions, by the bookmark: \
            an opaque name that is of use to that client alone.

            EXAMPLES
              docent open LocalFolder:/notes.txt
              docent open --client org.example.editor --read-only LocalFolder:/notes.txt
              BOOKMARK=$(docent open --json LocalFolder:/notes.txt | jq -r .bookmark)
            """)

    @Argument(help: LocationText.help, transform: LocationText.parse)
    var location: DocumentLocation

    @Flag(name: .long, help: "Grant reading alone.")
    var readOnly = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let picker = DocumentPicker(client: client.makeClient())
        let document = try await progress.watching("Opening \(location)") {
            try await picker.item(at: location)
        } _: {
            try await picker.openDocument(at: location, access: readOnly ? .read : .readWrite)
        }
        let bookmark = try await document.bookmark()
        guard !format.json else {
            return try StandardOutput.write(JSONValue(opened: document, bookmark: bookmark).pretty)
        }
        try StandardOutput.write(
            Table.facts([
                ("client", client.client), ("provider", document.reference.provider),
                ("domain", document.reference.domain.isEmpty ? nil : document.reference.domain),
                ("identifier", document.reference.identifier), ("access", document.access.rawValue),
                ("bookmark", bookmark),
            ]))
    }
}
