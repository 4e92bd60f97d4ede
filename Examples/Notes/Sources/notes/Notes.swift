import Dispatch
import Documents
import Glibc
import NotesCore

/// `notes LOCATION`: edits a note, for example at `LocalFolder:/notes.txt`, with commands from standard input.
@main
enum Notes {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { fail("Usage: notes PROVIDER[@DOMAIN]:/PATH", status: 2) }
        let client = DocumentsClient(.init(clientIdentifier: "org.example.Notes"))
        do {
            let note = try await NoteDocument.open(at: try DocumentLocation(CommandLine.arguments[1]), client: client)
            let editor = NoteEditor(note: note, isLive: isatty(STDOUT_FILENO) != 0, output: write)
            let isSaved = await editor.run(lines())
            client.close()
            exit(isSaved ? 0 : 1)
        } catch {
            let suggestion = (error as? DocumentsError)?.suggestion.map { "\n" + $0 } ?? ""
            fail("\(error)\(suggestion)", status: 1)
        }
    }

    /// The lines of standard input. Waiting for the next one blocks none of Swift's threads.
    private static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue(label: "org.example.Notes.input").async {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }

    /// Writes at once, so that a program at the other end of a pipe does not have to wait.
    private static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    private static func fail(_ text: String, status: CInt) -> Never {
        write(text + "\n", to: STDERR_FILENO)
        exit(status)
    }
}
