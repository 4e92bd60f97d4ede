import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import Varlink

struct DoctorCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this installation, and say how to fix what is wrong.",
        discussion: """
            Starts the daemon if necessary. If it cannot be started, the checks go as far as they can without it. \
            Exits with 1 when a check failed.

            EXAMPLES
              docent doctor
              docent doctor --json | jq '.[] | select(.status != "ok")'
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var checks = [LocalChecks.program(environment), LocalChecks.socket(environment)]
        if let prefix = LocalChecks.prefix(environment) { checks.append(prefix) }
        do throws(DocumentsError) {
            let running = try await DaemonProcess.status()
            let status = if let running { running } else { try await DaemonProcess.start(environment: environment) }
            // The daemon is running, so something found its program, for example systemd.
            if checks[0].status == "error" { checks[0].status = "warning" }
            checks.append(LocalChecks.daemon(status))
            checks += try await DocumentsClient.administrator().call(AdministrationInterface.Doctor.self, .init()).value
                .checks
        } catch {
            guard error.code != .cancelled else { throw error }
            let causes = error.causes.map { ": " + $0.message }.joined()
            checks.append(
                Wire.Check(
                    name: "daemon", status: "error", detail: error.message + causes, remedy: error.suggestion))
            checks.append(LocalChecks.manifests(environment))
        }
        try StandardOutput.write(
            format.json ? JSONValue.array(checks.map(JSONValue.init(check:))).pretty : Self.text(checks))
        if checks.contains(where: { $0.status == "error" }) { throw SilentExit(status: .failed) }
    }

    /// The checks, formatted for people.
    static func text(_ checks: [Wire.Check]) -> String {
        let names = checks.map { SafeText.escaped($0.name) }
        let width = names.map(DisplayWidth.of).max() ?? 0
        return zip(checks, names).map { check, name in
            let status = SafeText.escaped(check.status)
            let padding = String(repeating: " ", count: max(0, 7 - DisplayWidth.of(status)))
            let gap = String(repeating: " ", count: width - DisplayWidth.of(name))
            var text = "\(status)\(padding)  \(name)\(gap)  "
            text += check.detail.split(separator: "\n").map { SafeText.escaped(String($0)) }.joined(separator: "\n    ")
            if let remedy = check.remedy { text += "\n  hint: \(SafeText.escaped(remedy))" }
            return text + "\n"
        }.joined()
    }
}
