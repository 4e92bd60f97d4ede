import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import Glibc

struct PathCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "path", abstract: "Print the path of a document in a mounted folder.",
        discussion: """
            Needs `docent mount`; `docent locate` goes the other way.

            EXAMPLES
              docent path webdav@work:/plan.odt
              libreoffice "$(docent path webdav@work:/plan.odt)"
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let mounted = await ViewFolder.served(ProcessInfo.processInfo.environment)
        guard !mounted.isEmpty else {
            throw DocumentsError(.unavailable, "Nothing is mounted.", suggestion: "Run `docent mount` first.")
        }
        for view in mounted {
            for name in ViewFolder.entries(of: view) {
                let account = view + "/" + name
                guard ViewFolder.attribute("provider", of: account).map(isMeant) == true,
                    ViewFolder.attribute("domain", of: account) ?? "" == location.domain
                else { continue }
                let path = location.path == "/" ? account : account + location.path
                guard access(path, F_OK) == 0 || errno == EACCES else {
                    throw DocumentsError(
                        errno == ENOENT || errno == ENOTDIR ? .notFound : .unavailable,
                        "\(location): \(String(cString: strerror(errno))).",
                        suggestion: "`docent ls` shows what is there.")
                }
                // A provider chose the names; a terminal must not obey them.
                return try StandardOutput.write((StandardOutput.isTerminal ? SafeText.escaped(path) : path) + "\n")
            }
        }
        throw DocumentsError(
            .notFound,
            "No mounted folder shows \(location.provider)\(location.domain.isEmpty ? "" : "@" + location.domain).",
            suggestion: "`docent domains` lists the accounts.")
    }

    // A bundle identifier or its last component.
    private func isMeant(_ provider: String) -> Bool {
        provider == location.provider
            || provider.split(separator: ".").last.map { $0.lowercased() } == location.provider.lowercased()
    }
}
