import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import ViewMounting

struct UnmountCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmount", abstract: "End what `docent mount` began.",
        discussion: """
            Fails while a program uses the folder; with --force, programs go on with what they have open.

            EXAMPLES
              docent unmount
              docent unmount ~/Clouds --force
            """)

    @Argument(help: "The folder; by default the only one that is mounted.", completion: .directory)
    var folder: String?

    @Flag(name: .long, help: "Also if programs use it.")
    var force = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let path: String
        if let folder {
            // A mount whose processes have gone cannot be resolved.
            guard let found = ViewFolder.mounted().first(where: { $0 == ViewFolder.resolved(folder) || $0 == folder })
            else {
                throw DocumentsError(
                    .notFound, "Nothing is mounted on \(folder).",
                    suggestion: "`docent mount --status` shows what is mounted.")
            }
            path = found
        } else {
            let mounted = ViewFolder.own(ProcessInfo.processInfo.environment)
            guard let only = mounted.first else { return try StandardOutput.write("Nothing is mounted.\n") }
            guard mounted.count == 1 else {
                throw DocumentsError(
                    .invalidArgument, "\(mounted.count) folders are mounted.",
                    suggestion: "Name one of them: \(mounted.joined(separator: ", ")).")
            }
            path = only
        }
        do {
            try ViewMount.unmount(path, isLazy: force)
        } catch { throw MountCommand.explain(error) }
    }
}
