import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct EvictCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "evict", abstract: "Remove local copies; the documents stay at their provider.",
        discussion: """
            Documents that are open, pinned or not sent yet are never removed: a single document is refused with 6, \
            and in a folder it is skipped. Prints how many copies were removed, and their size.

            EXAMPLES
              docent evict webdav@work:/film.mkv
              docent evict webdav@work:/
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let reply = try await DocumentsClient.administrator().call(
            AdministrationInterface.Evict.self, .init(location: location.wire)
        ).value
        try StandardOutput.write("removed: \(reply.items), \(ByteCount.text(reply.bytes))\n")
    }
}
