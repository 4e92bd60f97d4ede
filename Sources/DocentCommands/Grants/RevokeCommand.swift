import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct RevokeCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke rights.",
        discussion: """
            Shows what would be revoked and asks. Without a filter, that is everything. When the command has exited \
            with 0, the change is durable and in force; descriptors that are already open can still read the content \
            that they were opened on.

            EXAMPLES
              docent revoke --client org.example.editor
              docent revoke --kind unconfined --older-than 30d
              docent revoke --id 17
              docent revoke --yes LocalFolder:/notes.txt
            """)

    @OptionGroup var arguments: GrantArguments

    @Option(name: .long, help: ArgumentHelp("Only the grant that `docent grants` shows with this ID.", valueName: "n"))
    var id: Int?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        if !yes, try await show(administrator) {
            let what = arguments.isEverything && id == nil ? "everything that was granted" : "this"
            try Confirmation.require("Revoke \(what)?", isGiven: false)
        }
        let reply = try await administrator.call(
            AdministrationInterface.Revoke.self,
            .init(
                client: arguments.client, provider: arguments.provider, location: arguments.location?.wire,
                clientKind: arguments.kind, olderThan: arguments.olderThan, id: id)
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

    /// Shows the first page of what would be revoked.
    ///
    /// - Returns: whether there is anything to revoke.
    private func show(_ administrator: DocumentsClient) async throws -> Bool {
        var shown = 0
        let id = id
        try await arguments.pages(administrator) { page, isLast in
            let page = page.filter { id == nil || $0.id == id }
            shown += page.count
            if !page.isEmpty {
                StandardError.write(GrantText.table(page).shownOnErrors)
                if !isLast, id == nil { StandardError.write("… and more\n") }
            }
            // A grant with a given ID may be on any page.
            return id != nil && shown == 0
        }
        return shown > 0
    }
}
