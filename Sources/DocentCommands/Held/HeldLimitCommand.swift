import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct HeldLimitCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: "Show or set how many documents a program may change within a minute.",
        discussion: """
            It counts the documents that one program deletes or replaces; new ones do not count. If the environment of \
            the daemon sets the limit (DOCENT_CHANGE_LIMIT), this command only shows it.

            EXAMPLES
              docent held limit
              docent held limit 200
              docent held limit off
            """)

    /// A number of documents, or any.
    struct Limit: ExpressibleByArgument {
        /// 0 for any number.
        let documents: Int

        init?(argument: String) {
            guard argument != "off" else {
                documents = 0
                return
            }
            guard let number = Int(argument), number > 0 else { return nil }
            documents = number
        }
    }

    @Argument(help: ArgumentHelp("A number of documents, or off.", valueName: "n"))
    var limit: Limit?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        if let limit {
            _ = try await client.call(
                AdministrationInterface.SetChangeLimit.self, .init(limit: limit.documents))
        }
        let now = try await client.call(AdministrationInterface.Held.self, .init()).value.limit
        guard !format.json else {
            return try StandardOutput.write(
                JSONValue.object(["limit": JSONValue(now == 0 ? nil : now)]).pretty)
        }
        try StandardOutput.write(now == 0 ? "off\n" : "\(now)\n")
    }
}
