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
            trash of a folder is listed too. What was deleted where there is no trash is listed with the time until \
            which it can be restored.

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
        let hasEnds = entries.contains { $0.finalDate != nil }
        var table = Table(["ID", "NAME", "SIZE", "DELETED"] + (hasEnds ? ["UNTIL"] : []) + ["FROM"], numbers: [2])
        for entry in entries {
            let account = AccountName(provider: entry.provider, domain: entry.domain)
            let facts = [
                entry.identifier, entry.isFolder ? entry.name + "/" : entry.name,
                entry.size.map(ByteCount.text) ?? "-", Timestamp.text(entry.deletionDate) ?? "-",
            ]
            let place = TrashSurvey.originalLocation(entry)?.description ?? account.description
            table.add(facts + (hasEnds ? [Timestamp.text(entry.finalDate) ?? "-"] : []) + [place])
        }
        return table
    }
}
