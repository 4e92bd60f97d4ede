import ArgumentParser
import CommandConsole
import Documents

struct BookmarkResolveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Show what a bookmark leads to.",
        discussion: """
            A bookmark works only for the client that created it: give the same --client. It is stale if the document \
            has another name or folder than when it was created.

            EXAMPLES
              docent bookmark resolve "$BOOKMARK"
              docent bookmark resolve --json --client org.example.editor "$BOOKMARK"
              docent bookmark resolve --relative-to LocalFolder:/project "$BOOKMARK"
            """)

    @Argument(help: "The bookmark.")
    var bookmark: String

    @Option(
        name: .long, help: ArgumentHelp("The folder that it was created with.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var relativeTo: DocumentLocation?

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let session = client.makeClient()
        var folder: SecurityScopedDocument?
        if let relativeTo {
            folder = session.document(try await DocumentPicker(client: session).item(at: relativeTo).reference)
        }
        let (document, item, isStale) = try await session.resolve(bookmark: bookmark, relativeTo: folder)
        guard !format.json else {
            return try StandardOutput.write(
                JSONValue(resolved: item, access: document.access, isStale: isStale).pretty)
        }
        try StandardOutput.write(
            ItemText.facts(
                item, path: nil, more: [("access", document.access.rawValue), ("stale", isStale ? "yes" : "no")]))
        if isStale { StandardError.write("docent: This bookmark is stale.\n  hint: Create a new one.\n") }
    }
}
