import ArgumentParser
import Documents
import Glibc

/// `docent cat`.
struct CatCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a document's content to standard output.",
        discussion: """
            Naming a location opens the document for the client, for reading: `docent grants` shows it.

            EXAMPLES
              docent cat LocalFolder:/notes.txt
              docent cat --bookmark "$BOOKMARK" --client org.example.editor
            """)

    @OptionGroup var document: DocumentArguments
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = client.makeClient()
        try await withActivity(document.shown, isShown: !StandardOutput.isTerminal) { _ in
            let descriptor = try await document.open(client, access: .read).openForReading()
            defer { close(descriptor) }
            var status = stat()
            let total = fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
            try await withActivity(document.shown, total: total, isShown: !StandardOutput.isTerminal) { activity in
                try ContentPump.copy(from: descriptor, to: STDOUT_FILENO, activity: activity)
            }
        }
    }
}
