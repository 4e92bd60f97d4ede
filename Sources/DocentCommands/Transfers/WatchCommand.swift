import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct WatchCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show what is in transit of a document or a folder, as it happens.",
        discussion: """
            Shows the downloads and uploads of the document, or of everything in the folder, whichever program asked \
            for them: a line for each, and a total. It transfers nothing itself. If standard output is not a \
            terminal, a line is printed whenever a transfer begins, waits, fails or ends. With --json each change is \
            an object on one line.

            It continues until you interrupt it. With --until-done it ends as soon as nothing is in transit, with 0 if \
            everything succeeded and with 1 if something failed; what waits for an account that is offline is in \
            transit.

            EXAMPLES
              docent watch webdav@work:/Reports
              docent pin webdav:/Books && docent watch --until-done webdav:/Books
              docent watch --json LocalFolder:/plan.txt
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: DocumentName.parse)
    var location: DocumentName

    @Flag(name: .long, help: "End when nothing is in transit; the exit code says whether something failed.")
    var untilDone = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let reference = try await location.reference(client)
        var output = WatchOutput(isJSON: format.json, isLive: StandardOutput.isTerminal)
        var status = TransferStatus()
        do {
            // A daemon that dies is replaced by another, which goes on with the transfers.
            try await client.follow(
                DocumentsInterface.Watch.self, .init(reference: reference.wire), attempts: 4
            ) { reply in
                status.take(reply)
                try output.show(status)
                if untilDone, status.isIdle { throw Done() }
            }
        } catch is Done {
            if let failure = WatchText.failure(status) { throw failure }
        }
    }

    private struct Done: Error {}
}
