import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct UnpinCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Stop keeping a document, or everything in a folder, on this machine.",
        discussion: """
            The local copy stays until the space is needed, or until `docent evict`. Prints the number of documents.

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
