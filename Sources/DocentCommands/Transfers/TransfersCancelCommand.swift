import ArgumentParser
import DocentInterfaces
import Documents

struct TransfersCancelCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "End a transfer.",
        discussion: """
            Whoever waits for a download is told. An upload is kept, as one that failed: `docent transfers retry` sends it.

            EXAMPLES
              docent transfers cancel 17
            """)

    @Argument(help: "The transfer, as `docent transfers` names it.")
    var identifier: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.CancelTransfer.self, .init(identifier: identifier))
    }
}
