import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct ClaimsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "claims", abstract: "Show who reads and writes which document, and who waits for whom.",
        discussion: """
            A claim is a program's turn to read or write a document among all others. States: waiting (its turn has not come), \
            asking (programs that show the document have not answered yet), fetching (its content is on the way), held. \
            Below the claims come the presenters: programs that show a document and are asked to save and let go. A process that \
            is stopped can answer nobody.
            With --watch the list is told again whenever it changes, until you interrupt it; with --json then an object a line.

            EXAMPLES
              docent claims
              docent claims LocalFolder:/plan.txt
              docent claims --watch
            """)

    @Argument(
        help: "Only those of one document, or of what lies in a folder.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Go on telling, whenever something changes.")
    var watch = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let parameters = AdministrationInterface.Claims.Parameters(location: location?.wire)
        guard watch else {
            let reply = try await administrator.call(AdministrationInterface.Claims.self, parameters).value
            guard !format.json else { return try StandardOutput.write(JSONValue(claims: reply).pretty) }
            return try StandardOutput.write(ClaimText.text(reply))
        }
        var screen = Screen()
        try await administrator.follow(AdministrationInterface.Claims.self, parameters) { reply in
            if format.json {
                try StandardOutput.write(JSONValue(claims: reply).compact + "\n")
            } else {
                try screen.show(ClaimText.text(reply))
            }
        }
    }
}
