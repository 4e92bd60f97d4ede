import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct EvictCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "evict", abstract: "Remove local copies; the documents stay at their provider.",
        discussion: """
            What is open, pinned or not sent yet is never removed: a document then is refused with 6, in a folder it is \
            skipped. Tells how many copies went, and their size.

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
