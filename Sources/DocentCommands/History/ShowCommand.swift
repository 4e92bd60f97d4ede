import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct ShowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Write the content of a version of a document.",
        discussion: """
            EXAMPLES
              docent show LocalFolder:/plan.txt --version b3F2A91C
              docent show LocalFolder:/plan.txt --version b3F2A91C -o old.txt
            """)

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation

    @Option(
        name: .customLong("version"),
        help: ArgumentHelp(
            "The version, as `docent history` names it; the beginning of its name is enough.", valueName: "v"),
        transform: VersionName.parse)
    var chosen: VersionName

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A new file, or - for standard output; nothing is ever replaced.", valueName: "file"))
    var output = "-"

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let document = try await DocumentPicker(client: client.makeClient()).openDocument(
            at: location, access: .read, persistence: .transient)
        let source = try await chosen.find(of: document).openForReading()
        defer { close(source) }
        guard output != "-" else { return try ContentPump.copy(from: source, to: STDOUT_FILENO) }
        let path = Array(output.utf8)
        let target = try LocalFile.create(path)
        defer { close(target) }
        do {
            try ContentPump.copy(from: source, to: target)
        } catch {
            _ = path.withTerminator { unlink($0) }
            throw error
        }
    }
}
