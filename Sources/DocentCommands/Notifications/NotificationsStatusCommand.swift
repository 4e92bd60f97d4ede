import ArgumentParser
import CommandConsole
import DesktopNotices
import FoundationEssentials

struct NotificationsStatusCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether notifications are on.",
        discussion: """
            EXAMPLES
              docent notifications status
              docent notifications status --json
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let status = try NotifierPrograms(ProcessInfo.processInfo.environment).status
        try StandardOutput.write(format.json ? status.json.pretty : NotificationsText.status(status))
    }
}
