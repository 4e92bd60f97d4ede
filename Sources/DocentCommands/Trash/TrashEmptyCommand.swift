import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct TrashEmptyCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty", abstract: "Delete everything in the trash for good.",
        discussion: """
            Asks first, and names how much it is. Without an account, the trash of every account and folder is emptied, \
            with what other programs put there. What is deleted meanwhile stays in the trash. What was deleted \
            where there is no trash goes now; if its service cannot be reached, as soon as it can.

            EXAMPLES
              docent trash empty LocalFolder
              docent trash empty --yes --json
            """)

    @Argument(
        help: ArgumentHelp("Only the trash of this account: PROVIDER[@DOMAIN].", valueName: "account"),
        completion: .custom(AccountCompletion.accounts), transform: AccountName.parse)
    var account: AccountName?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let found = try await TrashSurvey(client: client).entries(account)
        if !found.entries.isEmpty {
            try Confirmation.require("Delete \(Self.count(found.entries.count)) for good?", isGiven: yes)
        }
        let (deleted, refusal) = try await withActivity("Emptying the trash") { _ in
            try await delete(found.entries, client)
        }
        try StandardOutput.write(
            format.json
                ? JSONValue.object(["deleted": .integer(deleted)]).pretty
                : "deleted for good: \(Self.count(deleted))\n")
        if let refusal { throw refusal }
        if let failure = found.failure { throw SilentExit(status: ExitStatus(failure.code)) }
    }

    private func delete(
        _ entries: [Wire.TrashEntry], _ client: DocumentsClient
    ) async throws(DocumentsError) -> (deleted: Int, refusal: DocumentsError?) {
        var deleted = 0
        var refusal: DocumentsError?
        for entry in entries {
            do throws(DocumentsError) {
                _ = try await client.call(
                    AdministrationInterface.DeleteTrashed.self,
                    .init(provider: entry.provider, domain: entry.domain, identifier: entry.identifier))
                deleted += 1
            } catch {
                switch error.code {
                // Somebody else may have been faster.
                case .notFound: continue
                // Somebody has changed it; the others go all the same.
                case .conflict: refusal = refusal ?? error
                default: throw error
                }
            }
        }
        return (deleted, refusal)
    }

    private static func count(_ number: Int) -> String { number == 1 ? "1 item" : "\(number) items" }
}
