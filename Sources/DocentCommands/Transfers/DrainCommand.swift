import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct DrainCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Wait until every change is sent.",
        discussion: """
            Exits with 0 when every provider has everything that was saved on this machine, with 7 when the time has \
            expired, with 1 when a change needs your decision before it can be sent, and with 5 when its domain cannot \
            be reached. It then names the documents; one may have several changes. Nothing is lost in any case. It \
            does not wait for deletions that can still be taken back: `docent trash list` shows them.

            EXAMPLES
              docent drain
              docent drain --timeout 60 && sudo poweroff
            """)

    @Option(name: .long, help: ArgumentHelp("Wait no longer than this.", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var report: ReportOptions

    func validate() throws {
        if let timeout, !(timeout.isFinite && timeout >= 0) {
            throw ValidationError("--timeout takes a number of seconds, 0 or more.")
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
