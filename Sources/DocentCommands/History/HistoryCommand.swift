import ArgumentParser
import CommandConsole
import Documents

struct HistoryCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the versions of a document, newest first.",
        discussion: """
            The first is the current one. The others are kept beside it: what saves on this machine have replaced, what \
            lost a conflict, and what a program had not saved when it ended. `docent versions keep` says for how long. \
            Versions at the service are those that its server keeps by itself; they are fetched when you open them. If \
            the server cannot be asked, the others are listed, and standard error says that some are missing.

            EXAMPLES
              docent history LocalFolder:/plan.txt
              docent history --json webdav@work:/plan.txt
            """)

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let document = try await DocumentPicker(client: client.makeClient()).openDocument(
            at: location, access: .read, persistence: .transient)
        let (versions, missing) = try await FileVersion.history(of: document)
        if let missing {
            StandardError.write("docent: versions at the service are not listed: \(SafeText.escaped(missing))\n")
        }
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(versions.map(JSONValue.init(historyOf:))).pretty)
        }
        try StandardOutput.write(VersionText.table(versions).shown)
    }
}
