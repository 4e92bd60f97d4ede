import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct CatCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a document's content to standard output.",
        discussion: """
            Naming a location opens the document for the client, for reading: `docent grants` shows this. A document \
            without a local copy is fetched first, with progress on a terminal. Programs that show the document save \
            first, and the command waits for a program that is writing it, at most five minutes. \
            Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent cat LocalFolder:/notes.txt
              docent cat --bookmark "$BOOKMARK" --client org.example.editor
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try document.require() }

    func run() async throws {
        let document = try await document.chosen(
            client, TerminalChoice.documents("Choose a document to read", "read", downloads: true))
        let client = client.makeClient()
        let isShown = progress.isShown && !StandardOutput.isTerminal
        // Access is held to the end: the provider may release a document that is not in use.
        let (opened, content) = try await document.openForReading(client)
        let descriptor =
            if let content { content } else {
                try await withActivity(document.shown, isShown: progress.isShown) { activity in
                    try await Self.fetch(opened, activity)
                    return try await Self.read(opened)
                }
            }
        defer { close(descriptor) }
        var status = stat()
        let total = fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
        try await withActivity(document.shown, total: total, isShown: isShown) { activity in
            try ContentPump.copy(from: descriptor, to: STDOUT_FILENO, activity: activity)
        }
        opened.stopAccessing()
    }

    private static func fetch(_ document: SecurityScopedDocument, _ activity: Activity?) async throws {
        guard try await !document.item().isDownloaded else { return }
        do throws(DocumentsError) {
            try await document.download { progress in
                activity?.set(
                    done: progress.completedBytes, total: progress.totalBytes, rate: progress.bytesPerSecond)
            }
        } catch {
            // A document that cannot be downloaded separately is fetched when it is opened.
            guard error.code == .notSupported else { throw error }
        }
    }

    /// Opens the content once the claim is granted. The claim is released at once: a pager that is left open must not
    /// keep others from saving.
    private static func read(_ document: SecurityScopedDocument) async throws -> CInt {
        try await FileCoordinator(client: document.client).coordinate(readingItemAt: document.reference) { _ in
            // Opened by the client, not by the access: what the access opens is in use only until the claim ends, and
            // reading goes on after that (D10).
            try await document.openForReading()
        }
    }
}
