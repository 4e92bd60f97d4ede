import ArgumentParser
import DocentInterfaces
import Documents

struct TransfersCancelCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "End a transfer.",
        discussion: """
            Programs that wait for a download get an error. An upload is kept as a failed one: `docent transfers \
            retry` sends it.

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
