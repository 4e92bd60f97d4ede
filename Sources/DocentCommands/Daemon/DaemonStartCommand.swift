import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import ProcessLaunching

struct DaemonStartCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start the daemon if it is not running.",
        discussion: """
            EXAMPLES
              docent daemon start
              docent daemon start --foreground
            """)

    @Flag(name: .long, help: "Become the daemon: it stays in the foreground and logs to standard error.")
    var foreground = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        if let status = try await DaemonProcess.status() {
            guard !foreground else {
                throw DocumentsError(
                    .conflict, "The daemon is already running, as process \(status.processIdentifier).",
                    suggestion: "Stop it first with `docent daemon stop`.")
            }
            return try StandardOutput.write("The daemon is already running, as process \(status.processIdentifier).\n")
        }
        if foreground { try Self.become() }
        let status = try await DaemonProcess.start()
        try StandardOutput.write("The daemon is running, as process \(status.processIdentifier).\n")
    }

    /// Replaces this program with the daemon. Returns only by throwing.
    private static func become() throws(DocumentsError) {
        guard let program = DaemonLauncher.program(environment: ProcessInfo.processInfo.environment) else {
            throw DocumentsError(
                .unavailable, "docentd was not found.",
                suggestion: "Install Docent, or name the program in DOCENT_DAEMON.")
        }
        do {
            try ProgramReplacement.become(program, [])
        } catch {
            throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).")
        }
    }
}
