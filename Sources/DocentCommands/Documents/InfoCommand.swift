import ArgumentParser
import CommandConsole
import Documents

struct InfoCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what is known about a document or folder.",
        discussion: """
            EXAMPLES
              docent info LocalFolder:/notes.txt
              docent info --json LocalFolder:/notes.txt
              docent info --bookmark "$BOOKMARK"
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let (item, remembered) = try await document.described(client.makeClient())
        let path = document.location?.path
        try StandardOutput.write(
            format.json
                ? JSONValue(information: item, path: path, remembered: remembered).pretty
                : ItemText.facts(item, path: path))
        if let remembered { StandardError.write(RememberedText.warning(remembered, "shown")) }
    }
}
