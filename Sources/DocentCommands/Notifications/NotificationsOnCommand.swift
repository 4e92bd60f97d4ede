import ArgumentParser
import CommandConsole
import DesktopNotices
import FoundationEssentials

struct NotificationsOnCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Show notifications, now and after each login.",
        discussion: """
            Writes ~/.config/autostart/org.docent.Notifier.desktop, which desktops read at each login.

            EXAMPLES
              docent notifications on
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let programs = try NotifierPrograms(environment)
        try programs.write(isOn: true)
        let isStarted = try programs.start()
        try StandardOutput.write(
            format.json ? programs.status.json.pretty : NotificationsText.on(isStarted: isStarted))
    }
}
