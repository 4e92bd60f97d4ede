import ArgumentParser
import CommandConsole
import Documents

struct BookmarkShowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the information in a bookmark.",
        discussion: """
            The information is from the time when the bookmark was created (--value). The provider is not asked, and \
            need not be installed any more. A bookmark works only for the client that created it: give the same \
            --client.

            EXAMPLES
              docent bookmark show "$BOOKMARK"
              docent bookmark show --json --client org.example.editor "$BOOKMARK"
            """)

    @Argument(help: "The bookmark.")
    var bookmark: String

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let values = try await client.makeClient().values(ofBookmark: bookmark)
        guard !format.json else { return try StandardOutput.write(JSONValue(values: values).pretty) }
        try StandardOutput.write(
            Table.facts([
                ("provider", values.provider), ("name", values.name), ("path", values.path),
                ("type", values.contentType),
                ("size", values.size.map(ByteCount.text)), ("modified", Timestamp.text(values.modificationDate)),
                ("created", Timestamp.text(values.creationDate)),
            ]))
    }
}

extension JSONValue {
    /// The values that were embedded in a bookmark.
    init(values: BookmarkValues) {
        self = .object([
            "provider": .string(values.provider), "name": JSONValue(values.name), "path": JSONValue(values.path),
            "contentType": JSONValue(values.contentType), "size": JSONValue(values.size),
            "modificationDate": JSONValue(Timestamp.text(values.modificationDate)),
            "creationDate": JSONValue(Timestamp.text(values.creationDate)),
        ])
    }
}
