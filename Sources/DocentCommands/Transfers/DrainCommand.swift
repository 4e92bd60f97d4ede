import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct DrainCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Wait until every change is sent.",
        discussion: """
            Ends with 0 when every provider has everything that was saved here, with 7 when the time is over, with 1 when a \
            change cannot be sent without you, and with 5 when its domain cannot be reached; it then tells which \
            documents; one may have several changes. Nothing is lost either way.

            EXAMPLES
              docent drain
              docent drain --timeout 60 && sudo poweroff
            """)

    @Option(name: .long, help: ArgumentHelp("Wait no longer than this.", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var report: ReportOptions

    func validate() throws {
        if let timeout, !(timeout.isFinite && timeout >= 0) {
            throw ValidationError("The time is a number of seconds, from 0 on.")
        }
    }

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let started = ContinuousClock.now
        let status = StatusLine()
        defer { status.clear() }
        let last = try await administrator.follow(
            AdministrationInterface.Drain.self, .init(timeout: timeout), attempts: 4
        ) { reply in
            status.show("\(DrainOutcome.changes(reply.pending)) to send")
        }
        status.clear()
        guard last.pending > 0 || last.failed > 0 else { return }
        let isLate = timeout.map { ContinuousClock.now - started >= .seconds($0) } ?? false
        let left = try await administrator.transfers(provider: nil)
        if let failure = DrainOutcome.failure(
            pending: last.pending, failed: last.failed, transfers: left, isLate: isLate)
        {
            throw failure
        }
    }
}
