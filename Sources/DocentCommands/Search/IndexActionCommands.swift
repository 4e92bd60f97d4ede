import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct IndexStartCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "List the folders of an account now, or of all accounts.",
        discussion: """
            Listing continues where it was paused, also on battery power. It runs in the background; `docent index` \
            shows how far it is.

            EXAMPLES
              docent index start
              docent index start webdav@work
            """)

    @OptionGroup var account: IndexAccount
    @OptionGroup var report: ReportOptions

    func run() async throws { try await account.change("start") }
}

struct IndexPauseCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop listing the folders of an account, or of all accounts.",
        discussion: """
            The account is not listed again until `docent index start`. What is known of it is still found, and \
            changes are still followed.

            EXAMPLES
              docent index pause
              docent index pause webdav@work
            """)

    @OptionGroup var account: IndexAccount
    @OptionGroup var report: ReportOptions

    func run() async throws { try await account.change("pause") }
}

struct IndexRebuildCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Make the index again from nothing.",
        discussion: """
            No document and no other record is affected. The earlier file is kept beside the new one, with the ending \
            .damaged. A damaged index is made again without this command.

            EXAMPLES
              docent index rebuild
            """)

    @OptionGroup var report: ReportOptions

    func run() async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.ChangeSearchIndex.self, .init(action: "rebuild"))
    }
}

/// The account that a subcommand of `docent index` is about.
struct IndexAccount: ParsableArguments {
    @Argument(
        help: "The account: PROVIDER[@DOMAIN]. Without it, all accounts.",
        completion: .custom(AccountCompletion.accounts), transform: AccountName.parse)
    var account: AccountName?

    func change(_ action: String) async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.ChangeSearchIndex.self,
            .init(action: action, provider: account?.provider, domain: account?.domain))
    }
}
