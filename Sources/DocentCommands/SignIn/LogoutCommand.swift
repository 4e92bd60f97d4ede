import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct LogoutCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out of an account: its secret and local copies leave this machine.",
        discussion: """
            Unsent changes are sent first, and what was deleted is deleted at the service; what could not be is named, \
            and stays there. What cannot be sent is kept as a version, which `docent versions` shows; \
            with --discard it is dropped instead, after asking twice. Then the secret is deleted, then placeholders \
            and local copies, and nobody gets access until the next login; rights and bookmarks are kept, and work \
            again then. Other accounts are not affected. An interrupted logout continues when the command, or the next \
            daemon, runs again. While the keyring is locked the secret cannot be deleted, and the account stays \
            closed; if that keyring is gone for good, --leave-secret finishes the logout and says where the secret \
            remains. If the account is already signed out, nothing happens, and that is not an error.

            EXAMPLES
              docent logout webdav@work
              docent logout webdav@work --timeout 30
              docent logout webdav@work --discard
            """)

    @Argument(
        help: "The account: PROVIDER[@DOMAIN].", completion: .custom(AccountCompletion.accounts),
        transform: AccountName.parse)
    var account: AccountName

    @Flag(name: .long, help: "Drop unsent changes, permanently.")
    var discard = false

    @Flag(name: .long, help: "Finish even if the secret cannot be deleted because its keyring cannot be opened.")
    var leaveSecret = false

    @Flag(
        name: .long,
        help: "Do not ask. For --discard give it twice: each answers one of its two questions.")
    var yes: Int

    @Option(
        name: .long,
        help: ArgumentHelp("Spend no longer than this on sending waiting changes.", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        if let timeout, !(timeout.isFinite && timeout >= 0) {
            throw ValidationError("--timeout takes a number of seconds, 0 or more.")
        }
    }

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let domain = try await administrator.domains(provider: account.provider)
            .first { $0.identifier == account.domain }
        if domain?.state == "signedOut" { return try tell(.init(domain: domain), wasSignedOut: true) }
        let discards = discard ? try await agree(administrator, domain) : false
        let status = StatusLine()
        defer { status.clear() }
        let last = try await administrator.follow(
            AdministrationInterface.Logout.self,
            .init(
                provider: account.provider, domain: account.domain, discard: discards ? true : nil,
                timeout: timeout, leaveSecret: leaveSecret ? true : nil)
        ) { reply in
            if let stage = reply.stage { status.show(LogoutText.stage(stage, pending: reply.pending)) }
        }
        status.clear()
        try tell(last, wasSignedOut: false)
    }

    /// Asks twice if there are changes to drop.
    ///
    /// - Returns: whether to drop unsent changes. If there are none now, changes that arrive meanwhile are kept.
    private func agree(_ administrator: DocumentsClient, _ domain: Wire.Domain?) async throws -> Bool {
        let waiting = (domain?.pendingChanges ?? 0) + (domain?.failedChanges ?? 0)
        guard waiting > 0, let domain else { return false }
        guard yes >= 2 || FormConversation.hasTerminal else {
            throw DocumentsError(
                .invalidArgument,
                "\(DrainOutcome.changes(waiting)) would be lost permanently, and there is no terminal to ask on.",
                suggestion:
                    "Add --yes --yes if you agree to that, or leave out --discard: then they are kept.")
        }
        let names = try await administrator.transfers(provider: domain.provider)
            .filter { $0.kind == "upload" && $0.reference.domain == domain.identifier }.map(\.name)
        let questions = LogoutText.questions(account, waiting: waiting, names: names)
        try Confirmation.require(questions.first, isGiven: yes >= 1)
        try Confirmation.require(questions.second, isGiven: yes >= 2)
        return true
    }

    private func tell(_ reply: AdministrationInterface.Logout.Reply, wasSignedOut: Bool) throws {
        guard !format.json else {
            return try StandardOutput.write(JSONValue(logout: reply, wasSignedOut: wasSignedOut).pretty)
        }
        try StandardOutput.write(
            wasSignedOut ? LogoutText.already(account) : LogoutText.done(account, reply))
    }
}
