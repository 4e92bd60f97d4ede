import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct RestoreCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make an earlier version the content of its document.",
        discussion: """
            This is a save like any other: programs that have the document open save their changes first and see the \
            new content, and a remote document is sent. What is replaced is kept as a version, so that you can take it \
            back. With --to, the version becomes a new document, whose location is written; nothing is replaced.

            EXAMPLES
              docent restore LocalFolder:/plan.txt --version b3F2A91C
              docent restore LocalFolder:/plan.txt --version b3F2A91C --to LocalFolder:/old/
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
        name: .long,
        help: ArgumentHelp("A folder, or a folder and a new name, for a new document.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var to: DocumentLocation?

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = client.makeClient()
        let picker = DocumentPicker(client: client)
        let document = try await picker.openDocument(
            at: location, access: to == nil ? .readWrite : .read, persistence: .transient)
        let version = try await chosen.find(in: FileVersion.versions(of: document))
        guard let to else {
            let item = try await Self.restore(version, of: document)
            return await SaveOutcome.report(item, at: location, client)
        }
        let file = try await version.openForReading()
        defer { close(file) }
        let destination = try await Destination.find(to, file: version.localizedName, picker: picker)
        let item = try await picker.exportDocument(from: file, to: destination.folder, name: destination.name)
        try StandardOutput.write(SafeText.escaped(destination.location(of: item).description) + "\n")
    }

    /// Makes a version current, after programs that have the document open have saved.
    static func restore(_ version: FileVersion, of document: SecurityScopedDocument) async throws -> DocumentItem {
        try await FileCoordinator(client: document.client).coordinate(
            writingItemAt: document.reference, options: .forMerging
        ) { access in
            try await version.replaceItem(within: access)
        }
    }
}
