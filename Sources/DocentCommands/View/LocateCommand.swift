import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct LocateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate", abstract: "Print the location of a file in a mounted folder.",
        discussion: """
            The output is the LOCATION that other commands take. `docent path` goes the other way.

            EXAMPLES
              docent locate ~/Docent/Work/plan.odt
              docent info "$(docent locate plan.odt)"
            """)

    @Argument(help: "The path of the file or folder.", completion: .file())
    var path: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        guard let location = ViewFolder.attribute("location", of: path) else {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                throw DocumentsError(
                    errno == ENOENT ? .notFound : .failed, "\(path): \(String(cString: strerror(errno))).")
            }
            throw DocumentsError(
                .invalidArgument, "\(path) is in no folder that shows documents.",
                suggestion: "`docent mount --status` shows these folders.")
        }
        // A provider chose the names; a terminal must not obey them.
        try StandardOutput.write((StandardOutput.isTerminal ? SafeText.escaped(location) : location) + "\n")
    }
}
