import ArgumentParser
import CommandConsole
import Documents

struct RecentsCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "recents", abstract: "List the documents that were used last.",
        discussion: """
            A document is remembered when a program opens or saves it through Docent, or gets it by a choice; not when \
            it is read in a mounted folder. It stays in the list when it is renamed or moved. Documents that are gone, \
            and those of accounts that are signed out or removed, are not listed. Results are locations, the last used \
            first. --remove and --clear change only the list, never documents.

            EXAMPLES
              docent recents
              docent recents --client org.example.Editor --limit 5
              docent recents --remove webdav@work:/plan.txt
              docent recents --clear
              docent recents --off --client org.example.Diary
            """)

    /// Whether uses are remembered.
    enum Remembering: String, EnumerableFlag {
        case on, off

        static func help(for value: Remembering) -> ArgumentHelp? {
            value == .on
                ? "Remember what is used from now on." : "Remember nothing from now on, and clear the list."
        }
    }

    @Option(
        name: .long, help: ArgumentHelp("Only what this client used.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Option(name: .long, help: ArgumentHelp("The maximum number of documents.", valueName: "n"))
    var limit = 50

    @Option(
        name: .long, help: ArgumentHelp("Take this document off the list.", valueName: "location"),
        completion: LocationText.completion, transform: DocumentName.parse)
    var remove: [DocumentName] = []

    @Flag(name: .long, help: "Take all documents off the list.")
    var clear = false

    @Flag var remembering: Remembering?

    @Flag(name: .shortAndLong, help: "Show when each was used, and by which client.")
    var long = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 1000.") }
        let actions = [!remove.isEmpty, clear, remembering != nil].count { $0 }
        guard actions <= 1 else {
            throw ValidationError("Use only one of --remove, --clear, --on and --off.")
        }
    }

    func run() async throws {
        let caller = DocumentsClient.administrator()
        let recents = Recents(client: caller)
        if let remembering {
            let off = try await recents.remember(remembering == .on, of: client)
            return try StandardOutput.write(
                format.json
                    ? JSONValue.object(["unremembered": JSONValue(off)]).pretty : RecentText.unremembered(off))
        }
        if clear || !remove.isEmpty {
            var references: [DocumentReference] = []
            for name in remove { references.append(try await name.reference(caller)) }
            let count = try await recents.forget(clear ? nil : references, of: client)
            return try StandardOutput.write(
                format.json ? JSONValue.object(["removed": .integer(count)]).pretty : "removed: \(count)\n")
        }
        let documents = try await recents.documents(of: client, limit: limit)
        guard !format.json else {
            return try StandardOutput.write(JSONValue.array(documents.map(RecentText.record)).pretty)
        }
        try StandardOutput.write(RecentText.list(documents, isLong: long))
        if documents.contains(where: \.isRemembered) { StandardError.write(RecentText.warning) }
    }
}
