import ArgumentParser
import CommandConsole
import FoundationEssentials

struct DesktopEnableCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Use Docent's window as file dialog, and for requests of programs.",
        discussion: """
            Only for you, by files in ~/.config and ~/.local; `docent desktop disable` takes that back exactly. It \
            counts from the next login on, and at once where systemd manages your session.

            EXAMPLES
              docent desktop enable
            """)

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let setting = try DesktopSetting(ProcessInfo.processInfo.environment)
        try setting.enable()
        try StandardOutput.write(
            DesktopText.enabled(UserServices.apply(starting: [DesktopSetting.requestsUnit])))
    }
}
