import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import TerminalPicker

struct PickCommand: DocentCommand {
    /// What is done with the choice.
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case open, `import`, export, move
    }

    static let configuration = CommandConfiguration(
        commandName: "pick", abstract: "Choose documents on the terminal, over all accounts.",
        discussion: """
            Shows the accounts, then their folders. Typing leaves what contains the letters; Enter opens a folder or \
            chooses; / searches in all accounts; ? shows all keys. With a MODE the choice is carried out as by the \
            command of that name; without one, or with --print, the locations are written to standard output, one on \
            each line. Other types than those of --type are shown, but cannot be chosen. Signing in happens in the \
            picker. A terminal that cannot move its cursor gets a numbered list.

            Without a terminal the command exits with 64, and with 7 if nothing is chosen.

            EXAMPLES
              docent pick open
              docent pick import --type public.image -o ~/Pictures
              docent pick export report.pdf
              docent pick --print --multiple | while read -r place; do
                docent pin "$place"; done
              docent pick --print0 --multiple | xargs -0 docent rm
              docent pick --json --multiple --type public.text
            """)

    @Argument(help: ArgumentHelp("One of open, import, export, move.", valueName: "mode"))
    var mode: Mode?

    @Argument(help: "The file on this machine to export or move.", completion: .file())
    var file: String?

    @Flag(name: .long, help: "Only write the chosen locations, one on each line.")
    var print = false

    @Flag(name: .customLong("print0"), help: "The same, with a zero byte after each.")
    var printZero = false

    @Flag(name: .long, help: "Allow to choose several.")
    var multiple = false

    @Option(
        name: .customLong("type"), help: ArgumentHelp("A type that can be chosen; may be repeated.", valueName: "type"))
    var types: [String] = []

    @Flag(name: .long, help: "Choose a folder.")
    var folder = false

    @Flag(name: .long, help: "open: grant only reading.")
    var readOnly = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("import: a file, a directory, or - for standard output.", valueName: "file"))
    var output: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    /// Types that folders have.
    static let folderTypes: Set = ["public.folder", "public.directory", "public.item"]

    func validate() throws {
        let ways = [print, printZero, format.json].count { $0 }
        guard ways <= 1 else { throw ValidationError("Choose one of --print, --print0 and --json.") }
        if mode == .export || mode == .move {
            guard let file else { throw ValidationError("Name the FILE to \(mode?.rawValue ?? "").") }
            guard !FileNames.last(of: file).isEmpty else {
                throw ValidationError("\"\(file)\" is not the name of a file.")
            }
            guard !multiple, !folder, types.isEmpty, !format.json else {
                throw ValidationError("--multiple, --folder, --type and --json are for open and import.")
            }
        } else if file != nil {
            throw ValidationError("Only export and move take a FILE.")
        }
        guard !readOnly || mode == .open else { throw ValidationError("--read-only is for open.") }
        guard output == nil || mode == .import else { throw ValidationError("--output is for import.") }
        guard !folder || mode != .import else { throw ValidationError("A folder cannot be imported.") }
        guard !folder || types.isEmpty else { throw ValidationError("Choose one of --folder and --type.") }
    }

    func run() async throws {
        if let mode, mode == .export || mode == .move { return try await put(mode) }
        let items = try await TerminalChoice.items(
            client: client, mode: mode?.rawValue, types: folder ? Array(Self.folderTypes) : types.isEmpty ? nil : types,
            task)
        let locations = items.map(\.location)
        if format.json { return try await printJSON(locations) }
        guard let mode, !isPrinted else { return try printLines(locations) }
        for location in locations { try await perform(mode, location) }
    }

    private var isPrinted: Bool { print || printZero }

    private var task: PickerTask {
        let title =
            switch mode {
            case .open: folder ? "Choose a folder to open" : "Choose a document to open"
            case .import: "Choose a document to copy to this machine"
            default: folder ? "Choose a folder" : "Choose a document"
            }
        var task = PickerTask(title: title, verb: mode == .import ? "import" : mode == .open ? "open" : "choose")
        task.allowsSeveral = multiple
        task.choosesFolders = folder || !Self.folderTypes.isDisjoint(with: types)
        task.choosesOnlyFolders = folder
        task.downloads = mode == .import && !isPrinted && !format.json
        return task
    }

    // MARK: The result

    private func printLines(_ locations: [DocumentLocation]) throws {
        for location in locations {
            if printZero {
                try StandardOutput.write(Array(location.description.utf8) + [0])
            } else {
                // A name with a line feed is escaped, as a LOCATION accepts it.
                try StandardOutput.write(SafeText.escaped(location.description) + "\n")
            }
        }
    }

    private func printJSON(_ locations: [DocumentLocation]) async throws {
        let picker = DocumentPicker(client: .administrator())
        var values: [JSONValue] = []
        for location in locations {
            values.append(JSONValue(picked: try await picker.item(at: location, followingLink: false), at: location))
        }
        try StandardOutput.write(JSONValue.array(values).pretty)
    }

    private func perform(_ mode: Mode, _ location: DocumentLocation) async throws {
        var arguments = ["--client", client.client]
        switch mode {
        case .open:
            var command = try await OpenCommand.asyncParse(arguments + (readOnly ? ["--read-only"] : []) + ["P:/"])
            command.location = location
            command.folder = folder
            try await command.run()
        case .import:
            if let output { arguments += ["--output", output] }
            var command = try await ImportCommand.asyncParse(arguments + ["P:/"])
            command.location = location
            try await command.run()
        case .export, .move: break
        }
    }

    /// Export and move: where, and under which name.
    private func put(_ mode: Mode) async throws {
        let file = file ?? ""
        guard isPrinted else {
            let arguments = ["--client", client.client, file]
            if mode == .export {
                let command = try await ExportCommand.asyncParse(arguments + ["P:/"])
                return try await command.choose()
            }
            return try await MoveCommand.asyncParse(arguments + ["P:/"]).choose()
        }
        let chosen = try await TerminalChoice.destination(
            for: file, client: client, mode: mode.rawValue, canReplace: false)
        try printLines([chosen.destination.location])
    }
}

extension JSONValue {
    /// An item that was chosen, for `docent pick --json`.
    init(picked item: DocumentItem, at location: DocumentLocation) {
        var members = JSONMembers([])
        item.describe(to: &members, path: location.path, remembered: .null)
        members["remembered"] = nil
        members["provider"] = .string(item.reference.provider)
        members["domain"] = .string(item.reference.domain)
        members["location"] = .string(location.description)
        self = .object(members)
    }
}
