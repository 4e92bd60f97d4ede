import ArgumentParser
import CommandConsole
import Documents
import Glibc

/// `docent cat`.
struct CatCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a document's content to standard output.",
        discussion: """
            Naming a location opens the document for the client, for reading: `docent grants` shows it. A document that is \
            not here is fetched first; on a terminal, with its progress. Programs that show it save first, and whoever is \
            writing it is waited for: five minutes at most.

            EXAMPLES
              docent cat LocalFolder:/notes.txt
              docent cat --bookmark "$BOOKMARK" --client org.example.editor
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = client.makeClient()
        let isShown = progress.isShown && !StandardOutput.isTerminal
        // Held to the end: the provider may let go of what nobody uses.
        let opened = try await document.open(client, access: .read)
        let descriptor = try await withActivity(document.shown, isShown: progress.isShown) { activity in
            try await Self.fetch(opened, activity)
            return try await Self.read(opened)
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
            // What cannot be fetched without being opened is fetched as it is opened.
            guard error.code == .notSupported else { throw error }
        }
    }

    /// The content when its turn has come. Held no longer than that: a pager that is left open must keep nobody from saving.
    private static func read(_ document: SecurityScopedDocument) async throws -> CInt {
        try await FileCoordinator(client: document.client).coordinate(readingItemAt: document.reference) { _ in
            // By the client itself: the use of what the access has opened ends with it, and reading goes on (D10).
            try await document.openForReading()
        }
    }
}
