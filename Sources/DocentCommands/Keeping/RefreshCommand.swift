import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct RefreshCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Ask a provider at once what has changed.",
        discussion: """
            Without a location, every domain is asked. A domain that nobody is signed in to is reported and skipped. \
            If a domain does not answer, the command asks the others and then exits with the code of that failure. A \
            listing that lacks more than half of what was there is not accepted until you confirm it: the command \
            names the folder, exits with 6, and removes nothing. Check the server, then run the command again with \
            --accept.

            EXAMPLES
              docent refresh
              docent refresh webdav@work:/Reports
              docent refresh --accept webdav@work:/Reports
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Accept a listing that lacks more than half of what was there.")
    var accept = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        if let location { return try Self.tell(try await refresh(location, administrator)) }
        let domains = try await administrator.domains(provider: nil)
        var failure: DocumentsError?
        var total = Outcome()
        for domain in domains {
            let top = DocumentLocation(provider: domain.provider, domain: domain.identifier, path: "/")
            do throws(DocumentsError) {
                total.add(try await refresh(top, administrator))
            } catch {
                // A domain that does not answer does not hold up the others.
                if error.code == .cancelled { throw error }
                guard Self.matters(error, of: domain) else { continue }
                StandardError.write(Self.note(domain, error))
                // A domain that is not signed in does not count as a failure.
                if error.code != .notAuthenticated { failure = failure ?? error }
            }
        }
        try Self.tell(total, isComplete: failure == nil)
        // Each failure has been reported already.
        if let failure { throw SilentExit(status: ExitStatus(failure.code)) }
    }

    /// Whether to report that a domain was not asked. A provider that does not report changes is ignored, and so is an
    /// unused default domain, such as that of a provider of accounts or of a disabled provider.
    static func matters(_ error: DocumentsError, of domain: Wire.Domain) -> Bool {
        let isUnused = domain.identifier.isEmpty && domain.state == nil
        return error.code != .notSupported && !(isUnused && [.invalidArgument, .notPermitted].contains(error.code))
    }

    /// The report that a domain was not asked, with the reason.
    static func note(_ domain: Wire.Domain, _ error: DocumentsError) -> String {
        let account = AccountName(provider: domain.provider, domain: domain.identifier)
        return ErrorReport.text(
            DocumentsError(error.code, "\(account) could not be asked: \(error.message)", suggestion: error.suggestion),
            isVerbose: false)
    }

    private struct Outcome {
        var changed = 0
        var deleted = 0
        var held: [String] = []

        mutating func add(_ other: Outcome) {
            changed += other.changed
            deleted += other.deleted
            held += other.held
        }
    }

    private func refresh(
        _ location: DocumentLocation, _ administrator: DocumentsClient
    ) async throws(DocumentsError) -> Outcome {
        let reply = try await administrator.call(
            AdministrationInterface.Refresh.self, .init(location: location.wire, accept: accept)
        ).value
        return Outcome(changed: reply.changed, deleted: reply.deleted, held: reply.held)
    }

    private static func tell(_ outcome: Outcome, isComplete: Bool = true) throws {
        try StandardOutput.write("changed: \(outcome.changed), deleted: \(outcome.deleted)\n")
        guard !outcome.held.isEmpty else { return }
        let held = DocumentsError(
            .conflict,
            "More than half of what was there is missing from these folders, so nothing was removed:\n"
                + outcome.held.joined(separator: "\n"),
            suggestion: "Check the server; if nothing is wrong with it, run the command again with --accept.")
        guard isComplete else { return StandardError.write(ErrorReport.text(held, isVerbose: false)) }
        throw held
    }
}
