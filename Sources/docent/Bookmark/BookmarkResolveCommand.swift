import ArgumentParser
import Documents

/// `docent bookmark resolve`.
struct BookmarkResolveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Tell what a bookmark leads to.",
        discussion: """
            A bookmark is of use only to the client that made it: give the same --client.

            EXAMPLES
              docent bookmark resolve "$BOOKMARK"
              docent bookmark resolve --json --client org.example.editor "$BOOKMARK"
            """)

    @Argument(help: "The bookmark.")
    var bookmark: String

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let (document, item, isStale) = try await client.makeClient().resolve(bookmark: bookmark)
        guard !format.json else {
            return try StandardOutput.write(
                JSONValue(resolved: item, access: document.access, isStale: isStale).pretty)
        }
        try StandardOutput.write(
            ItemText.facts(
                item, path: nil, more: [("access", document.access.rawValue), ("stale", isStale ? "yes" : "no")]))
        if isStale { StandardError.write("docent: This bookmark is stale.\n  hint: Make a new one.\n") }
    }
}
