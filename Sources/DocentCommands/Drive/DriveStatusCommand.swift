import ArgumentParser
import CommandConsole
import Documents

struct DriveStatusCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what a drive contains, and what waits to be sent.",
        discussion: """
            The numbers are those that this machine knows; it looks for news first. Problems are what the store or a \
            machine did that must not happen. Nothing of it was taken in.

            EXAMPLES
              docent drive status
              docent drive status home --json | jq '.unsent'
            """)

    @OptionGroup var selection: DriveSelection
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let drive = try await selection.open()
        let rows = try await drive.perform("status")
        let problems = Array(rows.dropFirst())
        let status = rows.first ?? [:]
        guard !format.json else {
            return try StandardOutput.write(DriveText.record(status: status, problems, of: drive.domain).pretty)
        }
        try StandardOutput.write(DriveText.status(status, of: drive.domain))
        try StandardOutput.write(DriveText.problems(problems))
    }
}
