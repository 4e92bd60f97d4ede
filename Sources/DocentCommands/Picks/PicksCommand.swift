import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct PicksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picks", abstract: "Answer programs that ask you to choose a document.",
        discussion: """
            A program in a sandbox cannot choose documents itself; it asks, and you answer here. Programs that `docent \
            run` started ask in its terminal. For all others somebody must be listening: `docent picks --watch`.

            EXAMPLES
              docent picks
              docent picks --watch
              docent picks answer
              docent picks answer 3F2504E0 LocalFolder:/notes.txt --read-only
              docent picks refuse 3F2504E0
            """,
        subcommands: [
            PicksListCommand.self, PicksAnswerCommand.self, PicksRefuseCommand.self, PicksAskCommand.self,
        ],
        defaultSubcommand: PicksListCommand.self)
}

struct PicksListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests that wait for an answer.",
        discussion: """
            With --watch the list is printed again whenever it changes, until you interrupt the command, and programs \
            can ask as long as it runs; with --json each line is then an object. IT SAYS shows the program's own words.

            EXAMPLES
              docent picks list
              docent picks --watch --client org.example.editor
            """)

    @Option(
        name: .long, help: ArgumentHelp("Only requests of this client.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Flag(name: .long, help: "Continue to listen, so that programs can ask.")
    var watch = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let parameters = AdministrationInterface.PickRequests.Parameters(client: client)
        guard watch else {
            let reply = try await administrator.call(AdministrationInterface.PickRequests.self, parameters).value
            guard !format.json else { return try StandardOutput.write(JSONValue(picks: reply.requests).pretty) }
            return try StandardOutput.write(PickText.text(reply.requests))
        }
        var screen = Screen()
        try await administrator.follow(AdministrationInterface.PickRequests.self, parameters) { reply in
            if format.json {
                try StandardOutput.write(JSONValue(picks: reply.requests).compact + "\n")
            } else {
                try screen.show(PickText.text(reply.requests))
            }
        }
    }
}

struct PicksRefuseCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a request.",
        discussion: """
            EXAMPLES
              docent picks refuse 3F2504E0
            """)

    @Argument(help: ArgumentHelp("The request, or an unambiguous beginning of its name.", valueName: "request"))
    var identifier: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let request = try await PickText.request(identifier, administrator)
        _ = try await administrator.call(
            AdministrationInterface.AnswerPick.self, .init(identifier: request.identifier), attempts: 1)
    }
}
