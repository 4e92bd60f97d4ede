import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct GrantsAddCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give a client the right to a document or folder.",
        discussion: """
            The same as if you had chosen it for the client. On a folder, the right covers what lies in it, also what comes \
            later, and ends for what is moved out. A right that is there already is widened, never narrowed.

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
            "How the client reaches the daemon: \(ClientKind.list). Without it: run.", valueName: "kind"),
        transform: ClientKind.parse)
    var kind = "run"

    @Flag(name: .long, help: "Grant reading alone.")
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
        name: .customLong("for"), help: ArgumentHelp("End the right after so long, like 2h.", valueName: "span"),
        transform: DurationText.parse)
    var `for`: Double?

    @Flag(name: .long, help: "End the right when the client has left.")
    var transient = false

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Grant what lies beside it under a name like this too, with * and ?; {stem} is its name without the extension.",
            valueName: "pattern"))
    var companions: [String] = []
}
