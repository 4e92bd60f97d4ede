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
        let version = try await chosen.find(of: document)
        guard !version.isPackage else { throw Self.isPackage(version, location) }
        let source = try await version.openForReading()
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

    /// The refusal to write a folder to a file.
    private static func isPackage(_ version: FileVersion, _ location: DocumentLocation) -> DocumentsError {
        let name = SafeText.escaped(version.persistentIdentifier)
        return DocumentsError(
            .invalidArgument, "This version is a package, and a package is a folder.",
            suggestion: version.isCurrent
                ? "`docent import` copies the package to a folder of yours."
                : "`docent restore \(SafeText.escaped(location.description)) --version \(name) --to LOCATION` makes a package "
                    + "of it, and `docent diff` shows what has changed since.")
    }
}
