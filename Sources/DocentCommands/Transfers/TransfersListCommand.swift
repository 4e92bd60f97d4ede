import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct TransfersListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the transfers that wait, run or failed.",
        discussion: """
            States: waiting, running, retrying (automatically, at the time shown), paused (its domain is offline or \
            not signed in), failed (see the reason, then use `docent transfers retry`). With --watch the list is \
            printed again whenever it changes, until you interrupt the command; with --json each line is then an array.

            EXAMPLES
              docent transfers list
              docent transfers list --provider webdav --json
              docent transfers list --watch
            """)

    @Option(
        name: .long, help: ArgumentHelp("Only transfers of this provider.", valueName: "id"),
        completion: .custom(NameCompletion.providers))
    var provider: String?

    @Flag(name: .long, help: "Continue to print, whenever something changes.")
    var watch = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        guard watch else {
            let transfers = try await administrator.transfers(provider: provider)
            guard !format.json else {
                return try StandardOutput.write(JSONValue.array(transfers.map(JSONValue.init(transfer:))).pretty)
            }
            try StandardOutput.write(TransferText.table(transfers).shown)
            return
        }
        var screen = Screen()
        try await administrator.follow(AdministrationInterface.Transfers.self, .init(provider: provider)) { reply in
            if format.json {
                let array = JSONValue.array(reply.transfers.map(JSONValue.init(transfer:)))
                try StandardOutput.write(array.compact + "\n")
            } else {
                try screen.show(TransferText.table(reply.transfers).shown)
            }
        }
    }
}

extension DocumentsClient {
    /// The transfers that are waiting, running or failed.
    func transfers(provider: String?) async throws(DocumentsError) -> [Wire.Transfer] {
        try await call(AdministrationInterface.Transfers.self, .init(provider: provider)).value.transfers
    }
}
