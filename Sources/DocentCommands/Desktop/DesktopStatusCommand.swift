import ArgumentParser
import CommandConsole
import FoundationEssentials

struct DesktopStatusCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether Docent's window is the file dialog of your programs.",
        discussion: """
            EXAMPLES
              docent desktop status
              docent desktop status --json
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let status = try DesktopSetting(ProcessInfo.processInfo.environment).status()
        try StandardOutput.write(format.json ? status.json.pretty : DesktopText.status(status))
    }
}
