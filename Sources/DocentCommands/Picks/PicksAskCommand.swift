import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct PicksAskCommand: DocentCommand {
    /// The kind of request.
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case `import`, open, export, move
    }

    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask the user to choose, as a program in a sandbox does.",
        discussion: """
            Waits until the user has answered. open writes a bookmark of the document, which other commands accept; \
            import writes a copy to a new file, or to standard output for -; export and move send a FILE.

            EXAMPLES
              docent cat --bookmark \\
                $(docent picks ask open --read-only --json | jq -r .bookmark)
              docent picks ask import -o - --type public.text
              docent picks ask export report.pdf
            """)

    @Argument(help: ArgumentHelp("One of import, open, export, move.", valueName: "mode"))
    var mode: Mode

    @Argument(help: ArgumentHelp("The file to export or move, or where an import goes.", valueName: "file"))
    var file: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Where an import goes; - is standard output.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("type"), help: ArgumentHelp("A type that can be used; may be repeated.", valueName: "type"))
    var types: [String] = []

    @Option(name: .long, help: ArgumentHelp("Also ask for files beside it with such a name.", valueName: "pattern"))
    var companions: [String] = []

    @Option(name: .long, help: ArgumentHelp("The name of the exported or moved document.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The reason; shown to the user as your words.", valueName: "text"))
    var reason: String?

    @Flag(name: .long, help: "Ask only for reading.")
    var readOnly = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        switch mode {
        case .export, .move: if file == nil { throw ValidationError("Name the FILE to \(mode.rawValue).") }
        case .import: if (file ?? output) == nil { throw ValidationError("Say where the copy goes: -o FILE.") }
        case .open: if file != nil { throw ValidationError("open takes no FILE: the user chooses.") }
        }
    }

    func run() async throws {
        let picker = DocumentPicker(client: client.makeClient(), validTypes: types.isEmpty ? nil : types)
        switch mode {
        case .open:
            let document = try await picker.requestDocument(
                access: readOnly ? .read : .readWrite, companions: companions, reason: reason)
            let bookmark = try await document.bookmark()
            guard !format.json else {
                return try StandardOutput.write(JSONValue(opened: document, bookmark: bookmark).pretty)
            }
            try StandardOutput.write(
                Table.facts([
                    ("provider", document.reference.provider), ("identifier", document.reference.identifier),
                    ("access", document.access.rawValue), ("bookmark", bookmark),
                ]))
        case .import:
            let copy = try await picker.requestImport(reason: reason)
            let target = output ?? file ?? "-"
            guard target == "-" else { return try copy.keep(at: target) }
            try ContentPump.copy(from: copy.descriptor, to: STDOUT_FILENO)
        case .export:
            let path = file ?? ""
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else {
                throw DocumentsError(.notFound, "\(path) cannot be read: \(String(cString: strerror(errno))).")
            }
            defer { close(descriptor) }
            let item = try await picker.requestExport(from: descriptor, name: name ?? Self.last(path), reason: reason)
            try StandardOutput.write(SafeText.escaped(item.name) + "\n")
            await SaveOutcome.report(item, at: nil, isNew: true, picker.client)
        case .move:
            let path = file ?? ""
            let document = try await picker.requestMove(at: path, name: name ?? Self.last(path), reason: reason)
            try StandardOutput.write(SafeText.escaped(document.reference.identifier) + "\n")
        }
    }

    private static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
