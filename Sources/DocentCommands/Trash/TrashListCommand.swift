import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation

struct TrashListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what is in the trash, the newest first.",
        discussion: """
            Without an account, every account and folder that has a trash is listed. What other programs put into the \
            trash of a folder is listed too.

            EXAMPLES
              docent trash list
              docent trash list --json webdav@work
            """)

    @Argument(
        help: ArgumentHelp("Only the trash of this account: PROVIDER[@DOMAIN].", valueName: "account"),
        completion: .custom(AccountCompletion.accounts), transform: AccountName.parse)
    var account: AccountName?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let found = try await TrashSurvey(client: .administrator()).entries(account)
        try StandardOutput.write(
            format.json
                ? JSONValue.array(found.entries.map(JSONValue.init(trashed:))).pretty
                : Self.table(found.entries).shown)
        // Each failure has been reported already.
        if let failure = found.failure { throw SilentExit(status: ExitStatus(failure.code)) }
    }

    /// The entries, formatted for people.
    static func table(_ entries: [Wire.TrashEntry]) -> Table {
        var table = Table(["ID", "NAME", "SIZE", "DELETED", "FROM"], numbers: [2])
        for entry in entries {
            let account = AccountName(provider: entry.provider, domain: entry.domain)
            table.add([
                entry.identifier, entry.isFolder ? entry.name + "/" : entry.name,
                entry.size.map(ByteCount.text) ?? "-", Timestamp.text(entry.deletionDate) ?? "-",
                TrashSurvey.originalLocation(entry)?.description ?? account.description,
            ])
        }
        return table
    }
}
