import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials

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
