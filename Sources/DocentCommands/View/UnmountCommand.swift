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
              docent unmount --at-login --bookmark
            """)

    @Argument(help: "The folder; by default the only one that is mounted.", completion: .directory)
    var folder: String?

    @Flag(name: .long, help: "Also if programs use it.")
    var force = false

    @Flag(name: .long, help: "Also mount nothing at login from now on.")
    var atLogin = false

    @Flag(name: .long, help: "Also remove the folder from the places of file dialogs.")
    var bookmark = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let login = try LoginMount(environment)
        let known = login.folder
        if atLogin { try login.remove() }
        guard let path = try await mounted() else {
            if bookmark { try MountPlaces(environment).remove(try folder ?? known ?? ViewFolder.standard(environment)) }
            return try StandardOutput.write("Nothing is mounted.\n")
        }
        if bookmark { try MountPlaces(environment).remove(path) }
        do {
            try ViewMount.unmount(path, isLazy: force)
        } catch { throw MountCommand.explain(error) }
    }

    /// The folder that is meant; nil if none is mounted.
    private func mounted() async throws -> String? {
        if let folder {
            // A mount whose processes have gone cannot be resolved.
            let all = ViewFolder.mounted()
            guard
                let found = all.first(where: { $0 == folder })
                    ?? ViewFolder.resolved(folder).flatMap({ all.contains($0) ? $0 : nil })
            else {
                if atLogin || bookmark { return nil }
                throw DocumentsError(
                    .notFound, "Nothing is mounted on \(folder).",
                    suggestion: "`docent mount --status` shows what is mounted.")
            }
            return found
        }
        let mounted = await ViewFolder.own(ProcessInfo.processInfo.environment).map(\.path)
        guard mounted.count <= 1 else {
            throw DocumentsError(
                .invalidArgument, "\(mounted.count) folders are mounted.",
                suggestion: "Name one of them: \(mounted.joined(separator: ", ")).")
        }
        return mounted.first
    }
}
