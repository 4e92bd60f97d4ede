import ArgumentParser
import CommandConsole
import Documents

struct StarCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "star", abstract: "Mark documents and folders as favourites, or list the favourites.",
        discussion: """
            Without a LOCATION it lists them, in the order in which they were marked. A favourite stays one when it is \
            renamed or moved. The mark is on this machine only; the provider does not learn of it.

            EXAMPLES
              docent star webdav@work:/Reports LocalFolder:/plan.txt
              docent star
              docent star --remove LocalFolder:/plan.txt
              docent star --json | jq -r '.[].name'
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: DocumentName.parse)
    var location: [DocumentName] = []

    @Flag(name: .long, help: "Take the mark away.")
    var remove = false

    @Flag(name: .long, help: "List the favourites, also after changing some.")
    var list = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !remove || !location.isEmpty else { throw ValidationError("--remove needs a LOCATION.") }
    }

    func run() async throws {
        let client = DocumentsClient.administrator()
        let recents = Recents(client: client)
        for name in location {
            try await recents.setFavourite(try await name.reference(client), !remove)
        }
        guard list || location.isEmpty else { return }
        let documents = try await recents.favourites()
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(documents.map(RecentText.record)).pretty)
        }
        try StandardOutput.write(RecentText.list(documents, isLong: false))
        if documents.contains(where: \.isRemembered) { StandardError.write(RecentText.warning) }
    }
}
