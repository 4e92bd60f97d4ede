import ArgumentParser
import CommandConsole
import Documents

struct BookmarkCreateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Open a document for a client and write its bookmark.",
        discussion: """
            A bookmark works only for that client, also in later sessions, as long as the client has the right. It \
            follows the document when that is renamed or moved. --value embeds information that `docent bookmark show` \
            prints later, even without the provider: name, contentType, size, modificationDate, creationDate, path.

            EXAMPLES
              BOOKMARK=$(docent bookmark create LocalFolder:/notes.txt)
              docent bookmark create --read-only \\
                --client org.example.reader LocalFolder:/notes.txt
              docent bookmark create --value name --value size LocalFolder:/notes.txt
              docent bookmark create \\
                --relative-to LocalFolder:/project LocalFolder:/project/notes.txt
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @Flag(name: .long, help: "Grant only reading.")
    var readOnly = false

    @Option(
        name: .customLong("value"), parsing: .singleValue,
        help: ArgumentHelp("Embed a value; may be repeated.", valueName: "key"))
    var values: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder without which the bookmark does not work; the client is granted it.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var relativeTo: DocumentLocation?

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let session = client.makeClient()
        let document = try await DocumentPicker(client: session).openDocument(
            at: location, access: readOnly ? .read : .readWrite)
        var folder: SecurityScopedDocument?
        if let relativeTo {
            folder = try await DocumentPicker(client: session, validTypes: ["public.folder"]).openDocument(
                at: relativeTo, access: .read)
        }
        let bookmark = try await document.bookmark(
            options: readOnly ? .securityScopeAllowOnlyReadAccess : [],
            includingValuesFor: values.map(BookmarkValueKey.init(rawValue:)), relativeTo: folder)
        try StandardOutput.write(
            format.json
                ? JSONValue(opened: document, bookmark: bookmark).pretty : SafeText.escaped(bookmark) + "\n")
    }
}
