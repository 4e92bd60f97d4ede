import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct PinCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Keep a document, or everything that is in a folder now, on this machine.",
        discussion: """
            It is fetched in the background, and its local copy stays until `docent unpin`. The daemon keeps it \
            current, and does not leave as long as anything is pinned; after a restart of the machine it begins with \
            the first command or program that needs it. Prints the number of documents.

            EXAMPLES
              docent pin webdav@work:/Reports
              docent pin webdav@work:/plan.txt
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let items = try await DocumentsClient.administrator().call(
            AdministrationInterface.Pin.self, .init(location: location.wire, pinned: true)
        ).value.items
        try StandardOutput.write("kept here: \(items)\n")
    }
}
