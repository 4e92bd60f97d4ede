import ArgumentParser
import CommandConsole
import DesktopNotices
import FoundationEssentials

struct NotificationsOffCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Show no notifications any more.",
        discussion: """
            Notifications that are shown go away within seconds. Conflicts are kept as before: `docent conflicts` \
            lists them.

            EXAMPLES
              docent notifications off
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let programs = try NotifierPrograms(ProcessInfo.processInfo.environment)
        try programs.write(isOn: false)
        try StandardOutput.write(format.json ? programs.status.json.pretty : NotificationsText.off)
    }
}
