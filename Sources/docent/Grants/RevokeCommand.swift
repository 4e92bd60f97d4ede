import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// `docent revoke`.
struct RevokeCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take rights back.",
        discussion: """
            Shows what would be taken back and asks. Without anything that narrows, that is everything. When the \
            command has ended with 0, it is durable and in force; descriptors that are open already go on reading the \
            content that they were opened on.

            EXAMPLES
              docent revoke --client org.example.editor
              docent revoke --yes LocalFolder:/notes.txt
            """)

    @OptionGroup var arguments: GrantArguments

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let grants = try await arguments.grants(administrator)
        if !grants.isEmpty, !yes {
            StandardError.write(GrantsCommand.table(grants).text)
            let what = arguments.isEverything ? "everything that was granted" : "this"
            try Confirmation.require("Take \(what) back?", isGiven: false)
        }
        let reply = try await administrator.call(
            AdministrationInterface.Revoke.self,
            .init(client: arguments.client, provider: arguments.provider, location: arguments.location?.wire)
        ).value
        guard !format.json else {
            return try StandardOutput.write(
                JSONValue.object([
                    "revoked": .integer(reply.revoked), "openDescriptors": .integer(reply.openDescriptors),
                ]).pretty)
        }
        try StandardOutput.write("revoked: \(reply.revoked)\n")
        if reply.openDescriptors > 0 {
            try StandardOutput.write("still open for reading the old content: \(reply.openDescriptors)\n")
        }
    }
}
