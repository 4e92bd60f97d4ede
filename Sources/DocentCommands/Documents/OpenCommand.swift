import ArgumentParser
import CommandConsole
import Documents
import TerminalPicker

struct OpenCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Grant a document or a folder to a client, and create a bookmark for it.",
        discussion: """
            The client may then read and change the document in place, also in later sessions, with the bookmark: an \
            opaque string that works only for that client. With --folder a folder is granted, and the client can reach \
            its contents. With --transient the right ends when the client has left, and there is no bookmark. \
            Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent open LocalFolder:/notes.txt
              docent open --client org.example.editor --read-only LocalFolder:/notes.txt
              docent open --folder LocalFolder:/project
              docent open --read-only --for 2h \\
                --companions '{stem}.srt' LocalFolder:/film.mkv
              BOOKMARK=$(docent open --json LocalFolder:/notes.txt | jq -r .bookmark)
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Grant only reading.")
    var readOnly = false

    @Flag(name: .long, help: "Grant a folder.")
    var folder = false

    @OptionGroup var terms: GrantOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try TerminalChoice.require(location) }

    func run() async throws {
        var task = TerminalChoice.documents(
            folder ? "Choose a folder to open" : "Choose a document to open", "open", folders: folder)
        task.choosesOnlyFolders = folder
        let location = try await TerminalChoice.location(
            location, client: client, mode: "open", types: folder ? ["public.folder"] : nil, task)
        let picker = DocumentPicker(client: client.makeClient(), validTypes: folder ? ["public.folder"] : nil)
        let document = try await progress.watching("Opening \(location)") {
            try await picker.item(at: location)
        } _: {
            try await picker.openDocument(
                at: location, access: readOnly ? .read : .readWrite, persistence: terms.transient ? .transient : .taken,
                expiresAfter: terms.for.map { .seconds($0) }, companions: terms.companions)
        }
        // A bookmark would make the grant persistent.
        let bookmark = terms.transient ? nil : try await document.bookmark()
        guard !format.json else {
            return try StandardOutput.write(JSONValue(opened: document, bookmark: bookmark).pretty)
        }
        try StandardOutput.write(
            Table.facts([
                ("client", client.client), ("provider", document.reference.provider),
                ("domain", document.reference.domain.isEmpty ? nil : document.reference.domain),
                ("identifier", document.reference.identifier), ("access", document.access.rawValue),
                ("bookmark", bookmark),
            ]))
    }
}
