import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct WriteCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Replace a document's content with standard input.",
        discussion: """
            After the end of the input the content is replaced completely, or not at all. When the command has exited \
            with 0, the change is durable. If there is no document at LOCATION, it is created. If the provider cannot \
            be reached, the change waits to be sent (`docent transfers`); a new document then replaces nothing. \
            What is replaced is kept as a version (`docent history`). If the document was changed elsewhere at the \
            same time, standard error says so. Without a LOCATION you choose on the terminal.

            EXAMPLES
              date | docent write LocalFolder:/now.txt
              docent write --bookmark "$BOOKMARK" < report.pdf
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try document.require(readsInput: true) }

    func run() async throws {
        let document = try await document.chosen(
            client, TerminalChoice.documents("Choose the document to replace", "replace"))
        let client = client.makeClient()
        let picker = DocumentPicker(client: client)
        if let location = document.location {
            guard let item = try await picker.knownItem(at: location) else {
                return try await create(at: location, picker: picker)
            }
            guard !item.isFolder else { throw DocumentsError(.invalidArgument, "\(location) is a folder.") }
        }
        try await replace(try await document.open(client, access: .readWrite))
    }

    private func replace(_ document: SecurityScopedDocument) async throws {
        let session = try await document.beginWriting(replacing: true)
        do {
            try await withActivity("Reading the input") { activity in
                try ContentPump.copy(from: STDIN_FILENO, to: session.descriptor, activity: activity)
            }
        } catch {
            // In a separate task: this one may be cancelled.
            await Task { try? await session.abandon() }.value
            throw error
        }
        let item = try await HeldChange.make(as: client.client) { try await session.commit() }
        await SaveOutcome.report(item, at: self.document.location, document.client)
    }

    private func create(at location: DocumentLocation, picker: DocumentPicker) async throws {
        guard !location.name.isEmpty, !location.path.hasSuffix("/") else {
            throw DocumentsError(.invalidArgument, "\(location) is not the name of a document.")
        }
        // Problems with the folder are reported before the input is read.
        guard try await picker.item(at: location.parent).isFolder else {
            throw DocumentsError(.invalidArgument, "\(location.parent) is not a folder.")
        }
        try await withActivity("Reading the input") { activity in
            let staged = try LocalFile(staging: STDIN_FILENO, activity: activity)
            let item = try await picker.exportDocument(
                from: staged.descriptor, to: location.parent, name: location.name)
            await SaveOutcome.report(item, at: location, isNew: true, picker.client)
        }
    }
}
