import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import TerminalPicker
import Varlink

struct RemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete documents and folders at their provider, permanently.",
        discussion: """
            A folder is deleted only if it is empty, or with -r. A document that somebody else has changed meanwhile \
            remains (exit code 6). Unsent changes are kept as a version, which is named. Rights to what is deleted end \
            with it: a new document with the same name has none of them. Without a LOCATION you choose \
            on the terminal.

            EXAMPLES
              docent rm LocalFolder:/old.txt
              docent rm -r webdav@work:/Drafts
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var locations: [DocumentLocation] = []

    @Flag(name: [.customShort("r"), .long], help: "Delete folders with everything in them.")
    var recursive = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try TerminalChoice.require(locations.first, named: "locations") }

    func run() async throws {
        let locations = locations.isEmpty ? try await choose() : locations
        let client = client.makeClient()
        let administrator = DocumentsClient.administrator()
        for location in locations {
            let before = Set(try await Self.versions(administrator).map(\.identifier))
            _ = try await withActivity("Deleting \(location)") { [recursive] _ in
                try await client.call(
                    PickerInterface.DeleteItem.self,
                    .init(location: location.wire, recursive: recursive, operation: OperationIdentifier.make()),
                    attempts: 4)
            }
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
            chosen.count == 1 ? "Delete this permanently?" : "Delete these permanently?", isGiven: false)
        return chosen
    }

    private static func versions(_ client: DocumentsClient) async throws -> [Wire.Version] {
        try await client.call(AdministrationInterface.Versions.self, .init()).value.versions
    }
}
