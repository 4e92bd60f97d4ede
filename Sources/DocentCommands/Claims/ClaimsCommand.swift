import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct ClaimsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "claims", abstract: "Show who reads and writes which document, and who waits for whom.",
        discussion: """
            A claim is a program's turn to read or write a document among all others. States: waiting (its turn has \
            not come), asking (programs that show the document have not answered yet), fetching (its content is being \
            fetched), held. Below the claims are the presenters: programs that show a document and are asked to save \
            and let go. A stopped process cannot answer.
            With --watch the list is printed again whenever it changes, until you interrupt the command; with --json \
            each line is then an object.

            EXAMPLES
              docent claims
              docent claims LocalFolder:/plan.txt
              docent claims --watch
            """)

    @Argument(
        help: "Only claims on this document, or on the contents of a folder.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Continue to print, whenever something changes.")
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
