import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct WhyCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain who may reach a document, through what, and who had it fetched.",
        discussion: """
            Shows the rights to the document itself, to folders above it, and to documents beside it with which it was \
            granted; who was last refused access; and who caused its last download.

            EXAMPLES
              docent why LocalFolder:/notes.txt
              docent why --client org.example.player --json webdav@work:/films/film.mkv
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @Option(
        name: .long, help: ArgumentHelp("Only this client.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let reply = try await DocumentsClient.administrator().call(
            AdministrationInterface.Why.self, .init(location: location.wire, client: client)
        ).value
        guard !format.json else { return try StandardOutput.write(JSONValue(why: reply).pretty) }
        for sentence in reply.sentences { try StandardOutput.write(SafeText.escaped(sentence) + "\n") }
    }
}
