import ArgumentParser
import Documents
import Glibc

/// `docent import`.
struct ImportCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a copy of a document here; the document stays as it is.",
        discussion: """
            Without -o the copy gets the document's own name in the current directory. Nothing is ever replaced. The \
            path of the copy is written to standard output. No right is recorded.

            EXAMPLES
              docent import LocalFolder:/notes.txt
              docent import LocalFolder:/notes.txt -o ~/copy.txt
              docent import LocalFolder:/archive.tar -o - | tar t
            """)

    @Argument(help: LocationText.help, transform: LocationText.parse)
    var location: DocumentLocation

    @Option(
        name: .shortAndLong, help: ArgumentHelp("A file, a directory, or - for standard output.", valueName: "file"))
    var output: String?

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let picker = DocumentPicker(client: client.makeClient())
        let isShown = progress.isShown && (output != "-" || !StandardOutput.isTerminal)
        let copy = try await progress.watching("Importing \(location)") {
            try await picker.item(at: location)
        } _: {
            try await picker.importDocument(at: location)
        }
        guard output != "-" else {
            return try await withActivity("\(location)", total: copy.item.size, isShown: isShown) { activity in
                try ContentPump.copy(from: copy.descriptor, to: STDOUT_FILENO, activity: activity)
            }
        }
        let path = try Self.path(output, name: copy.item.name)
        try await Self.keep(copy, at: path, isShown: isShown)
        guard !StandardOutput.isTerminal else {
            return try StandardOutput.write(SafeText.escaped(String(decoding: path, as: UTF8.self)) + "\n")
        }
        try ContentPump.write(path + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// Where the copy goes.
    static func path(_ output: String?, name: String) throws(DocumentsError) -> [UInt8] {
        if let output, !isDirectory(output) { return Array(output.utf8) }
        guard let bytes = FileNames.bytes(name) else {
            throw DocumentsError(
                .invalidArgument, "No file here can be named \"\(name)\".", suggestion: "Choose a name with -o.")
        }
        guard let output else { return bytes }
        return Array((output.hasSuffix("/") ? output : output + "/").utf8) + bytes
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Takes the copy over: by its name where that is possible, else by its content.
    private static func keep(_ copy: ImportedDocument, at path: [UInt8], isShown: Bool) async throws {
        if let inbox = copy.path, path.withTerminator({ link(inbox, $0) }) == 0 {
            unlink(inbox)
            return
        }
        let target = try LocalFile.create(path)
        defer { close(target) }
        do {
            try await withActivity("Copying", total: copy.item.size, isShown: isShown) { activity in
                try ContentPump.copy(from: copy.descriptor, to: target, activity: activity)
            }
        } catch {
            _ = path.withTerminator { unlink($0) }
            throw error
        }
    }
}
