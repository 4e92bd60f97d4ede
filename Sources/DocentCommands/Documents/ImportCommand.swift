import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct ImportCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Copy a document to this machine; the document stays unchanged.",
        discussion: """
            Without -o the copy gets the document's own name in the current directory. Nothing is ever replaced. The \
            path of the copy is written to standard output. No right is recorded. The copy of a package, a folder that \
            is one document, is a directory. Without a LOCATION you choose on the terminal.

            EXAMPLES
              docent import LocalFolder:/notes.txt
              docent import LocalFolder:/notes.txt -o ~/copy.txt
              docent import LocalFolder:/archive.tar -o - | tar t
              docent import LocalFolder:/note.rtfd
            """)

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("A file, a directory, or - for standard output.", valueName: "file"))
    var output: String?

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws { try TerminalChoice.require(location) }

    func run() async throws {
        let location = try await TerminalChoice.location(
            location, client: client, mode: "import",
            TerminalChoice.documents("Choose a document to copy to this machine", "import", downloads: true))
        let picker = DocumentPicker(client: client.makeClient())
        // A provider's own picker may interpret a location as it likes: an item that cannot be described may still be
        // imported.
        if let item = try? await picker.item(at: location), item.isFolder {
            return try await importPackage(item, at: location, picker)
        }
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
        try Self.tell(path)
    }

    private func importPackage(
        _ item: DocumentItem, at location: DocumentLocation, _ picker: DocumentPicker
    ) async throws {
        guard item.contentType != "public.folder" else {
            throw DocumentsError(
                .invalidArgument, "\(location) is an ordinary folder, not a document.",
                suggestion: "Import the documents in it one by one: `docent ls` shows them.")
        }
        guard output != "-" else {
            throw DocumentsError(
                .invalidArgument, "\(location) is a folder and cannot be written to standard output.",
                suggestion: "Choose a directory with -o.")
        }
        let path = try Self.path(output, name: item.name)
        guard let text = String(validating: path, as: UTF8.self) else {
            throw DocumentsError(
                .invalidArgument, "The name of \(location) is not UTF-8.", suggestion: "Choose another with -o.")
        }
        _ = try await withActivity("Importing \(location)") { _ in
            try await picker.importPackage(at: location, to: text)
        }
        try Self.tell(path)
    }

    private static func tell(_ path: [UInt8]) throws {
        guard !StandardOutput.isTerminal else {
            return try StandardOutput.write(SafeText.escaped(String(decoding: path, as: UTF8.self)) + "\n")
        }
        try ContentPump.write(path + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// The path of the copy.
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

    /// Takes the copy out of the inbox: by a link if possible, otherwise by copying the content.
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
