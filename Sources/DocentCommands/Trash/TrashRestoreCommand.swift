import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

struct TrashRestoreCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put something in the trash back where it was, or elsewhere.",
        discussion: """
            ITEM is the identifier that `docent trash list` shows, or the location where it was; of several that were \
            in the same place, the one that was deleted last. Nothing is ever replaced. If the service keeps \
            identifiers, rights and bookmarks work again. The location is written to standard output.

            EXAMPLES
              docent trash restore LocalFolder:/notes.txt
              docent trash restore --to LocalFolder:/Recovered/ LocalFolder:/notes.txt
            """)

    @Argument(
        help: ArgumentHelp("What to restore: its identifier, or where it was.", valueName: "item"),
        completion: .custom(LocationCompletion.locations))
    var item: String

    @Option(
        name: .long, help: ArgumentHelp("The folder, or the folder and a new name, instead.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var to: DocumentLocation?

    @Option(
        name: .long,
        help: ArgumentHelp("Only look in the trash of this account: PROVIDER[@DOMAIN].", valueName: "account"),
        completion: .custom(AccountCompletion.accounts), transform: AccountName.parse)
    var account: AccountName?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let entry = try TrashSurvey.find(
            item, in: try await TrashSurvey(client: client).entries(account ?? Self.account(in: item)).entries)
        let destination = try await destination(of: entry, DocumentPicker(client: client))
        let operation = OperationIdentifier.make()
        let made = try await withActivity("Restoring \(entry.name)") { _ in
            DocumentItem(
                try await client.call(
                    AdministrationInterface.RestoreTrashed.self,
                    .init(
                        provider: entry.provider, domain: entry.domain, identifier: entry.identifier,
                        folder: destination?.folder.wire, name: destination?.name, operation: operation),
                    attempts: 4
                ).value.item)
        }
        let place = destination?.location(of: made) ?? TrashSurvey.originalLocation(entry)
        try StandardOutput.write(
            format.json
                ? JSONValue(information: made, path: place?.path).pretty
                : SafeText.escaped(place?.description ?? made.name) + "\n")
    }

    /// The account in a location; nil for an identifier.
    private static func account(in text: String) -> AccountName? {
        (try? DocumentLocation(text)).map { AccountName(provider: $0.provider, domain: $0.domain) }
    }

    private func destination(of entry: Wire.TrashEntry, _ picker: DocumentPicker) async throws -> Destination? {
        guard let to else { return nil }
        let isFolder = to.name.isEmpty || to.path.hasSuffix("/") ? true : try await picker.existing(at: to)?.isFolder
        return Destination(to, fileName: entry.name, isFolder: isFolder)
    }
}
