import ArgumentParser
import CommandConsole
import Documents

struct InfoCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what is known about a document or folder.",
        discussion: """
            For the top folder of an account it also shows how much space the account has, if its provider knows. \
            Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent info LocalFolder:/notes.txt
              docent info --json LocalFolder:/notes.txt
              docent info --bookmark "$BOOKMARK"
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try document.require() }

    func run() async throws {
        let document = try await document.chosen(
            client, TerminalChoice.documents("Choose a document or a folder", "show", folders: true))
        let (item, remembered) = try await document.described(client.makeClient())
        let path = document.location?.path
        let space = remembered == nil ? await space(of: item, document) : nil
        try StandardOutput.write(
            format.json
                ? JSONValue(information: item, path: path, remembered: remembered, space: space).pretty
                : ItemText.facts(item, path: path, more: ItemText.space(space)))
        if let remembered { StandardError.write(RememberedText.warning(remembered, "shown")) }
    }

    /// The space of the account, for its top folder; nil for any other item, and when its provider does not know.
    private func space(of item: DocumentItem, _ document: DocumentArguments) async -> AccountUsage? {
        let client = client.makeClient()
        guard item.reference.identifier == DocumentReference.topIdentifier,
            let top = try? await document.open(client, access: .read)
        else { return nil }
        return try? await client.usage(of: top.reference, within: .seconds(5))
    }
}
