import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct UnpinCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Keep a document, or all that is in a folder, on this machine no longer.",
        discussion: """
            The local copy stays until the room is needed, or until `docent evict`. Tells how many documents that are.

            EXAMPLES
              docent unpin webdav@work:/Reports
              docent unpin webdav@work:/plan.txt
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let items = try await DocumentsClient.administrator().call(
            AdministrationInterface.Pin.self, .init(location: location.wire, pinned: false)
        ).value.items
        try StandardOutput.write("no longer kept: \(items)\n")
    }
}
