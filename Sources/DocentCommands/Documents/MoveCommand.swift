import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct MoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a file to a provider, and grant it to the client.",
        discussion: """
            Like export, but the file is removed after the copy is safe, and only if it has not changed since it was \
            copied. Otherwise it stays and the command exits with 6. The new document's location is written to \
            standard output. Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent move report.pdf LocalFolder:/
              docent move --client org.example.editor draft.txt \\
                LocalFolder:/Drafts/final.txt
            """)

    @Argument(help: "A regular file on this machine.", completion: .file())
    var file: String

    @Argument(
        help: "The folder, or the folder and a new name.",
        completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try TerminalChoice.require(location) }

    func run() async throws {
        guard let location else { return try await choose() }
        try await move(
            to: try await Destination.find(location, file: file, picker: DocumentPicker(client: client.makeClient())))
    }

    /// Asks on the terminal where the file goes.
    func choose() async throws {
        try await move(
            to: try await TerminalChoice.destination(for: file, client: client, mode: "move", canReplace: false)
                .destination)
    }

    private func move(to destination: Destination) async throws {
        let client = client.makeClient()
        var picker = DocumentPicker(client: client)
        picker.moveCrashPoint = Self.crashPoint
        let document = try await withActivity("Moving \(file)", isShown: progress.isShown) { [picker] activity in
            guard let activity else {
                return try await picker.moveDocument(at: file, to: destination.folder, name: destination.name)
            }
            return try await picker.moveDocument(at: file, to: destination.folder, name: destination.name) {
                activity.set($0)
            }
        }
        // The move is done. If the document's name cannot be queried, the requested one is printed.
        let item = try? await document.item()
        let made = item.map { destination.location(of: $0) } ?? destination.location
        try StandardOutput.write(SafeText.escaped(made.description) + "\n")
        if let item { await SaveOutcome.report(item, at: made, isNew: true, client) }
    }

    /// Ends the program with SIGKILL after a step of Move, for the recovery tests: `DOCENT_TEST_CRASH_AFTER_MOVE=d`.
    private static var crashPoint: (@Sendable (String) -> Void)? {
        guard let wanted = getenv("DOCENT_TEST_CRASH_AFTER_MOVE").map({ String(cString: $0) }) else { return nil }
        return { step in if step == wanted { kill(getpid(), SIGKILL) } }
    }
}
