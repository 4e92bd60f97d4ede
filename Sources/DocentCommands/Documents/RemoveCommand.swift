import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import TerminalPicker
import Varlink

struct RemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete documents and folders at their provider.",
        discussion: """
            For each it says what happened: it was moved to the trash, from which `docent undo` or `docent trash \
            restore` brings it back; or, if the provider has no trash, it was deleted, and the same commands bring it \
            back for the time that `docent trash keep` shows; or it was deleted for good. A folder is deleted only if \
            it is empty, or with -r. On a terminal, you are asked before a folder with its contents is deleted \
            for good, and before more documents go within a minute than `docent held limit` allows; without a terminal, \
            the command exits with 6 then, unless you say --yes. A document that somebody else has changed meanwhile \
            remains (exit code 6). Unsent changes are kept as a version, which is named. Rights to what is deleted end \
            with it: a new document with the same name has none of them. Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent rm LocalFolder:/old.txt
              docent rm -r webdav@work:/Drafts
              docent rm --permanently LocalFolder:/secret.txt
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var locations: [DocumentLocation] = []

    @Flag(name: [.customShort("r"), .long], help: "Delete folders with everything in them.")
    var recursive = false

    @Flag(name: .long, help: "Delete for good and at once, even if the provider has a trash.")
    var permanently = false

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try TerminalChoice.require(locations.first, named: "locations") }

    func run() async throws {
        let locations = locations.isEmpty ? try await choose() : locations
        var results: [JSONValue] = []
        do {
            try await remove(locations) { results.append($0) }
        } catch {
            // What has happened is reported all the same.
            if format.json, !results.isEmpty { try StandardOutput.write(JSONValue.array(results).pretty) }
            throw error
        }
        if format.json { try StandardOutput.write(JSONValue.array(results).pretty) }
    }

    private func remove(_ locations: [DocumentLocation], _ note: (JSONValue) -> Void) async throws {
        let client = client.makeClient()
        let administrator = DocumentsClient.administrator()
        for location in locations {
            if recursive, !yes, FormConversation.hasTerminal { try await ask(location, client, administrator) }
            let before = Set(try await Self.versions(administrator).map(\.identifier))
            let operation = OperationIdentifier.make()
            let done = try await HeldChange.make(as: self.client.client, isConfirmed: yes) {
                try await withActivity("Deleting \(location)") { [recursive, permanently] _ in
                    try await client.call(
                        PickerInterface.DeleteItem.self,
                        .init(
                            location: location.wire, recursive: recursive, operation: operation,
                            trash: permanently ? "unused" : "required"), attempts: 4
                    ).value
                }
            }
            note(JSONValue(deletion: done, of: location))
            if !format.json { try StandardOutput.write(SafeText.escaped(Self.text(done, location)) + "\n") }
            for kept in try await Self.versions(administrator) where !before.contains(kept.identifier) {
                guard kept.reason == "unsent" else { continue }
                StandardError.write(
                    "docent: \(SafeText.escaped(kept.name)) had unsent changes; they are kept as a version.\n"
                        + "hint: docent versions show \(kept.identifier)\n")
            }
        }
    }

    /// Asks on the terminal what to delete, and once more whether to.
    private func choose() async throws -> [DocumentLocation] {
        var task = TerminalChoice.documents("Choose what to delete", "delete", folders: recursive)
        task.allowsSeveral = true
        let chosen = try await TerminalChoice.items(client: client, mode: nil, task).map(\.location)
        for location in chosen { StandardError.write("  \(SafeText.escaped(location.description))\n") }
        try Confirmation.require(
            chosen.count == 1 ? "Delete this?" : "Delete these?", isGiven: false)
        return chosen
    }

    /// What happened, for people. Pure.
    static func text(_ done: PickerInterface.DeleteItem.Reply, _ location: DocumentLocation) -> String {
        if done.trashed == true {
            return "\(location): moved to the trash of \(location.provider); `docent undo` brings it back"
        }
        guard let end = Timestamp.text(done.finalDate) else { return "\(location): deleted for good" }
        return "\(location): deleted; `docent undo` brings it back until \(end)"
    }

    /// Asks before a folder with its contents is deleted for good.
    private func ask(
        _ location: DocumentLocation, _ client: DocumentsClient, _ administrator: DocumentsClient
    ) async throws {
        guard try await isFinal(location, administrator),
            try await DocumentPicker(client: client).item(at: location).isFolder
        else { return }
        try Confirmation.require(
            "Delete the folder \(SafeText.escaped(location.description)) with everything in it for good?",
            isGiven: false)
    }

    private func isFinal(
        _ location: DocumentLocation, _ administrator: DocumentsClient
    ) async throws(DocumentsError) -> Bool {
        guard !permanently else { return true }
        do throws(DocumentsError) {
            _ = try await administrator.call(
                AdministrationInterface.ListTrash.self,
                .init(provider: location.provider, domain: location.domain))
            return false
        } catch {
            guard error.code == .notSupported else { throw error }
            return true
        }
    }

    private static func versions(_ client: DocumentsClient) async throws -> [Wire.Version] {
        try await client.call(AdministrationInterface.Versions.self, .init()).value.versions
    }
}
