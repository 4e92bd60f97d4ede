import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct FindCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find documents by name, type, time, size and state, in all accounts.",
        discussion: """
            Documents that are only at their provider are found too; nothing is downloaded. Each word must be in the \
            name or, except for one of them, in the name of a folder around it; case, accents and separators do not \
            matter. \
            "Several words" in quotes follow each other, -WORD excludes, and name:, type:, newer:, older:, larger:, \
            smaller: and state: begin conditions; docs/find.md describes them. Without TEXT, everything that meets the \
            options is found. Results are locations, the best first.

            The first search makes an index, and the folders of each account are listed in the background. What could \
            not be searched is reported on standard error, also if nothing was found. With --live changes are printed \
            until you interrupt the command: + a new result, ~ a changed one, - one that is gone. With --json each \
            line is then an object.

            EXAMPLES
              docent find invoice 2024
              docent find --type public.image --newer 7d --larger 2MB
              docent find "\\"annual report\\" -draft" --in webdav@work:/
              docent find --state cloud --json minutes | jq -r '.[].path'
            """)

    @Argument(help: "Words and conditions.")
    var text: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only items of this type, like public.image.", valueName: "uti"))
    var type: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only what was changed since: a time ago (2h, 7d) or a date in UTC (2024, 2024-05-31).",
            valueName: "moment"))
    var newer: String?

    @Option(name: .long, help: ArgumentHelp("Only what was changed before.", valueName: "moment"))
    var older: String?

    @Option(name: .long, help: ArgumentHelp("Only items with at least this size, like 500k or 2MB.", valueName: "size"))
    var larger: String?

    @Option(name: .long, help: ArgumentHelp("Only items with at most this size.", valueName: "size"))
    var smaller: String?

    @Option(
        name: .customLong("in"), help: ArgumentHelp("Only what is in this folder.", valueName: "location"),
        completion: LocationText.completion, transform: DocumentName.parse)
    var folder: [DocumentName] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Only items in this state: downloaded, cloud, pinned or unsent.", valueName: "state"),
        completion: .list(["downloaded", "cloud", "pinned", "unsent"]))
    var state: String?

    @Option(
        name: .long, help: ArgumentHelp("Only what this client was granted.", valueName: "client"),
        completion: .custom(NameCompletion.clients))
    var mine: String?

    @Option(name: .long, help: ArgumentHelp("The maximum number of results.", valueName: "n"))
    var limit = 100

    @Flag(name: .shortAndLong, help: "Show a line of details for each.")
    var long = false

    @Flag(name: .long, help: "Continue to print what changes.")
    var live = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
    }

    /// The query in the language of the daemon.
    var query: MetadataPredicate {
        let conditions: [(String, String)] =
            type.map { ("type", $0) }
            + [("newer", newer), ("older", older), ("larger", larger), ("smaller", smaller), ("state", state)]
            .compactMap { key, value in value.map { (key, $0) } }
        return conditions.reduce(.query(text.joined(separator: " "))) { query, condition in
            query && .query("\(condition.0):\(MetadataPredicate.quoted(condition.1))")
        }
    }

    func run() async throws {
        let client = client.makeClient()
        var folders: [Wire.ItemReference] = []
        for name in folder {
            switch name {
            case .reference(let reference): folders.append(reference.wire)
            case .location(let location):
                let item = try await DocumentPicker(client: client).described(at: location).item
                folders.append(item.reference.wire)
            }
        }
        let parameters = DocumentsInterface.Find.Parameters(
            query: query.queryText, folders: folders.isEmpty ? nil : folders, grantedTo: mine, limit: limit,
            live: live ? true : nil)
        var output = FoundOutput(isJSON: format.json, isLong: long, isLive: live)
        try output.begin()
        _ = try await client.follow(DocumentsInterface.Find.self, parameters) { try output.take($0) }
        try output.end()
    }
}
