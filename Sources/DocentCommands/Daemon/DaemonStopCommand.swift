import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc

struct DaemonStopCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the daemon.",
        discussion: """
            The command refuses while changes wait to be sent, unless --force is given; they are kept either way, and \
            sent by the next daemon. `docent drain` waits until they are sent. A program that `docent run` started \
            continues without a daemon, and gets an error when it needs one; the next command that needs a daemon \
            starts it.

            EXAMPLES
              docent daemon stop
              docent daemon stop --force
            """)

    @Flag(name: .long, help: "Even if changes wait to be sent.")
    var force = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        guard let status = try await DaemonProcess.status() else {
            return try StandardOutput.write("The daemon is not running.\n")
        }
        do throws(DocumentsError) {
            _ = try await DocumentsClient.administrator(startsDaemon: false, acceptsAny: true).call(
                AdministrationInterface.Stop.self, .init(force: force))
        } catch { throw Self.explained(error) }
        try await Self.waitForEnd(of: status.processIdentifier)
        let pending = status.pendingOperations
        let waiting =
            pending > 0 ? " \(DrainOutcome.changes(pending)) will be sent when it runs again; nothing is lost." : ""
        try StandardOutput.write("The daemon has stopped.\(waiting)\n")
    }

    /// The daemon's refusal, with both ways to proceed.
    static func explained(_ error: DocumentsError) -> DocumentsError {
        guard error.code == .conflict else { return error }
        return DocumentsError(
            error.code, error.message,
            suggestion:
                "Wait with `docent drain`, or run `docent daemon stop --force`: the changes are kept, and sent later.")
    }

    private static func waitForEnd(of process: Int) async throws {
        guard let process = pid_t(exactly: process), process > 1 else { return }
        for _ in 0..<200 {
            if kill(process, 0) != 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw DocumentsError(
            .deadlineExceeded, "The daemon was asked to stop, but is still running, as process \(process).",
            suggestion: "Wait, then check with `docent daemon status`.")
    }
}
