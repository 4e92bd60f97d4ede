import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct GrantsAddCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give a client the right to a document or folder.",
        discussion: """
            This has the same effect as choosing the document for the client. On a folder, the right covers its \
            contents, including later additions, and ends for what is moved out. An existing right is widened, never \
            narrowed.

            EXAMPLES
              docent grants add org.example.editor LocalFolder:/notes.txt
              docent grants add org.example.player LocalFolder:/films --read-only --for 2h
              docent grants add org.example.player LocalFolder:/film.mkv \\
                --companions '{stem}.srt'
            """)

    @Argument(help: ArgumentHelp("The client.", valueName: "client"), completion: .custom(NameCompletion.clients))
    var client: String

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How the client reaches the daemon: \(ClientKind.list). Default: run.", valueName: "kind"),
        transform: ClientKind.parse)
    var kind = "run"

    @Flag(name: .long, help: "Grant only reading.")
    var readOnly = false

    @OptionGroup var terms: GrantOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let grant = try await DocumentsClient.administrator().call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: kind, client: client, location: location.wire, access: readOnly ? "read" : "readWrite",
                persist: !terms.transient, expires: terms.for, companions: terms.companions)
        ).value.grant
        guard !format.json else { return try StandardOutput.write(JSONValue(grant: grant).pretty) }
        try StandardOutput.write(GrantText.table([grant]).shown)
    }
}

/// How long a grant lasts, and which companions it includes.
struct GrantOptions: ParsableArguments {
    @Option(
        name: .customLong("for"), help: ArgumentHelp("End the right after this time, like 2h.", valueName: "span"),
        transform: DurationText.parse)
    var `for`: Double?

    @Flag(name: .long, help: "End the right when the client has left.")
    var transient = false

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Also grant files beside it with such a name, with * and ?; {stem} is its name without the extension.",
            valueName: "pattern"))
    var companions: [String] = []
}
