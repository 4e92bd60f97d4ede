import ArgumentParser
import CommandConsole
import Documents
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

struct DesktopDisableCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Take back what `docent desktop enable` has changed.",
        discussion: """
            A file that was there before gets its content back. A file that somebody has changed since stays as it \
            is, and is named.

            EXAMPLES
              docent desktop disable
            """)

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let setting = try DesktopSetting(ProcessInfo.processInfo.environment)
        let result = try setting.disable()
        let isApplied = result.isChanged && UserServices.apply(stopping: result.services)
        guard result.kept.isEmpty else {
            throw DocumentsError(
                .conflict, "\(result.kept.joined(separator: ", ")) was changed after `docent desktop enable`.",
                suggestion: "It stays as it is. Take the lines with docent out of it, then run this once more.")
        }
        try StandardOutput.write(DesktopText.disabled(wasEnabled: result.isChanged, isApplied: isApplied))
    }
}

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
