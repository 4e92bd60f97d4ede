import ArgumentParser
import CommandConsole
import DocentInterfaces

struct DaemonStatusCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the daemon's status; this does not start it.",
        discussion: """
            Exits with 5 if no daemon is running.

            EXAMPLES
              docent daemon status
              docent daemon status --json | jq .sessions
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        guard let status = try await DaemonProcess.status() else {
            try StandardOutput.write(
                format.json ? JSONValue.object(["running": .bool(false)]).pretty : "The daemon is not running.\n")
            throw SilentExit(status: .unavailable)
        }
        try StandardOutput.write(format.json ? JSONValue(status: status).pretty : Self.text(status))
    }

    /// The status, formatted for people.
    static func text(_ status: AdministrationInterface.Status.Reply) -> String {
        let facts = Table.facts([
            ("version", status.version), ("process", String(status.processIdentifier)),
            ("uptime", Duration.seconds(status.uptime.isFinite ? min(max(0, status.uptime), 1e12) : 0).clock),
            ("memory", ByteCount.text(status.residentBytes)), ("socket", status.socket),
            ("data", status.dataDirectory), ("sessions", String(status.sessions)),
            ("pending operations", String(status.pendingOperations)),
        ])
        guard !status.extensions.isEmpty else { return facts }
        var table = Table(["PROVIDER", "POINT", "STATE", "PROCESS", "MEMORY", "CRASHES", "NOTE"], numbers: [3, 4, 5])
        for part in status.extensions {
            table.add([
                part.provider, part.point, part.state, part.processIdentifier.map(String.init) ?? "-",
                part.residentBytes.map(ByteCount.text) ?? "-", String(part.crashes), part.message ?? "",
            ])
        }
        return facts + "\n" + table.shown
    }
}

extension Duration {
    /// As in `1 d 2 h 3 min 4 s`, without leading parts that are zero.
    fileprivate var clock: String {
        let seconds = Int(components.seconds)
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
