import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct TrashKeepCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Show or change for how long a deletion can be taken back without a trash.",
        discussion: """
            It is about accounts whose service has no trash: there, what is deleted is gone at once for you and your \
            programs, and the service is asked to delete it when this time has passed. 0 means at once. Without an \
            option it shows what applies, an hour at first. With an ACCOUNT it changes that of the account, without one \
            that of all accounts with none of their own. What is deleted already keeps its time. If the environment of \
            the daemon sets the time (DOCENT_DELETION_GRACE_SECONDS), this command only shows it.

            EXAMPLES
              docent trash keep
              docent trash keep --for 8h
              docent trash keep webdav@work --for 0
            """)

    @Argument(
        help: ArgumentHelp("The account: PROVIDER[@DOMAIN].", valueName: "account"),
        completion: .custom(AccountCompletion.accounts), transform: AccountName.parse)
    var account: AccountName?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("A length of time such as 30m, 8h or 7d, at most 30d; 0: at once.", valueName: "time"),
        transform: TrashKeepCommand.seconds)
    var period: Int?

    @Flag(name: .long, help: "Forget what was decided before.")
    var reset = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard reset, period != nil else { return }
        throw ValidationError("--reset forgets the time, and --for sets one. Give one of them.")
    }

    func run() async throws {
        let client = DocumentsClient.administrator()
        if reset || period != nil {
            _ = try await client.call(
                AdministrationInterface.SetDeletionRule.self,
                .init(provider: account?.provider, domain: account?.domain, seconds: period))
        }
        let now = try await client.call(AdministrationInterface.DeletionRules.self, .init()).value
        try StandardOutput.write(
            format.json
                ? JSONValue(periods: now.rules, isFixed: now.isFixed == true).pretty : Self.text(now.rules))
    }

    /// The rule that applies, for people.
    static func text(_ rules: [Wire.DeletionRule]) -> String {
        var table = Table(["ACCOUNT", "TIME"])
        for rule in rules {
            let account = rule.provider.map { AccountName(provider: $0, domain: rule.domain ?? "").description }
            table.add([account ?? (rules.count == 1 ? "all" : "all others"), time(rule.seconds)])
        }
        return table.shown
    }

    private static func time(_ seconds: Int) -> String {
        guard seconds > 0 else { return "0" }
        for (length, unit) in [(86_400, "d"), (3_600, "h"), (60, "m")] where seconds.isMultiple(of: length) {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }

    @Sendable
    static func seconds(_ text: String) throws -> Int {
        text == "0" ? 0 : Int(try DurationText.parse(text).rounded(.up))
    }
}
