import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct DiffCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two versions of a document.",
        discussion: """
            Text is compared line by line by the program `diff`. For anything else the facts about both \
            are shown. For a package, the files and folders that were added, removed or changed are listed. Without a second version, \
            the first is compared with the current content. The command exits with 0 whether or not they differ, and writes nothing if \
            they are the same.

            EXAMPLES
              docent diff LocalFolder:/plan.txt b3F2A91C
              docent diff LocalFolder:/plan.txt b3F2A91C b77D01EE
            """)

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation

    @Argument(
        help: ArgumentHelp("The older version, as `docent history` names it.", valueName: "old"),
        transform: VersionName.parse)
    var first: VersionName

    @Argument(
        help: ArgumentHelp("The newer version; the current one if it is left out.", valueName: "new"),
        transform: VersionName.parse)
    var second: VersionName?

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let document = try await DocumentPicker(client: client.makeClient()).openDocument(
            at: location, access: .read, persistence: .transient)
        let old = try await first.find(of: document)
        let new = try await (second ?? VersionName(text: FileVersion.currentIdentifier)).find(of: document)
        guard !old.isPackage, !new.isPackage else { return try await comparePackages(old, new) }
        let (left, right) = (try await old.openForReading(), try await new.openForReading())
        defer {
            close(left)
            close(right)
        }
        if try ContentComparison.isText(left), try ContentComparison.isText(right) {
            return try ContentComparison.writeLines(
                (left, VersionText.title(old)), (right, VersionText.title(new)))
        }
        guard try !ContentComparison.isSame(left, right) else { return }
        try StandardOutput.write(ContentComparison.facts(old, new).shown)
    }

    // A version of a package can also be a single file: what a program had not saved when it ended.
    private func comparePackages(_ old: FileVersion, _ new: FileVersion) async throws {
        guard old.isPackage, new.isPackage else {
            return try StandardOutput.write(ContentComparison.facts(old, new).shown)
        }
        let changes = try await PackageComparison.changes(from: old, to: new)
        if !changes.isEmpty { try StandardOutput.write(PackageComparison.table(changes).shown) }
    }
}
