import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct ExportCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy a file or package to a provider; the original stays.",
        discussion: """
            LOCATION is a folder, or a folder and a new name. Nothing is ever replaced, except that without a LOCATION \
            you choose on the terminal and are asked about what is there. The new document's location is \
            written to standard output. No right is recorded. A directory is copied if it is a package, that is, one \
            document: its name, or the new name, has the extension of a package type, such as .rtfd. The command exits \
            when the copy is safe on this machine; if the provider keeps it on a server, `docent transfers` shows the \
            upload.

            EXAMPLES
              docent export report.pdf LocalFolder:/
              docent export report.pdf LocalFolder:/Reports/2026.pdf
              docent export note.rtfd LocalFolder:/
            """)

    @Argument(help: "A regular file, or a package, on this machine.", completion: .file())
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
        let picker = DocumentPicker(client: client.makeClient())
        if Self.isDirectory(file) { return try await exportPackage(to: location, picker) }
        let source = try LocalFile(reading: file)
        try await export(source, to: try await Destination.find(location, file: file, picker: picker), picker)
    }

    /// Asks on the terminal where the copy goes.
    func choose() async throws {
        guard !Self.isDirectory(file) else {
            let chosen = try await destination(canReplace: false).destination
            return try await exportPackage(to: chosen.location, DocumentPicker(client: client.makeClient()))
        }
        // A file that cannot be read is reported before anybody is asked.
        let source = try LocalFile(reading: file)
        let chosen = try await destination(canReplace: true)
        let picker = DocumentPicker(client: client.makeClient())
        guard chosen.replaces else { return try await export(source, to: chosen.destination, picker) }
        try await replace(chosen.destination.location, with: source, picker)
    }

    private func destination(canReplace: Bool) async throws -> (destination: Destination, replaces: Bool) {
        try await TerminalChoice.destination(for: file, client: client, mode: "export", canReplace: canReplace)
    }

    /// Replaces the content of a document that the person has seen and agreed to replace.
    private func replace(_ location: DocumentLocation, with source: borrowing LocalFile, _ picker: DocumentPicker)
        async throws
    {
        let descriptor = source.descriptor
        let document = try await picker.openDocument(at: location, access: .readWrite, persistence: .transient)
        let session = try await document.beginWriting(replacing: true)
        do {
            try await withActivity("Replacing \(location)", isShown: progress.isShown) { activity in
                try ContentPump.copy(from: descriptor, to: session.descriptor, activity: activity)
            }
        } catch {
            // In a separate task: this one may be cancelled.
            await Task { try? await session.abandon() }.value
            throw error
        }
        let item = try await HeldChange.make(as: client.client) { try await session.commit() }
        try StandardOutput.write(SafeText.escaped(location.description) + "\n")
        await SaveOutcome.report(item, at: location, picker.client)
    }

    private func export(_ source: borrowing LocalFile, to destination: Destination, _ picker: DocumentPicker)
        async throws
    {
        let descriptor = source.descriptor
        let item = try await withActivity("Exporting \(file)", isShown: progress.isShown) { activity in
            guard let activity else {
                return try await picker.exportDocument(
                    from: descriptor, to: destination.folder, name: destination.name)
            }
            return try await picker.exportDocument(
                from: descriptor, to: destination.folder, name: destination.name
            ) { activity.set($0) }
        }
        try StandardOutput.write(SafeText.escaped(destination.location(of: item).description) + "\n")
        await SaveOutcome.report(item, at: destination.location(of: item), isNew: true, picker.client)
    }

    private func exportPackage(to location: DocumentLocation, _ picker: DocumentPicker) async throws {
        let fileName = FileNames.last(of: file)
        guard !fileName.isEmpty else {
            throw DocumentsError(.invalidArgument, "\"\(file)\" is not the name of a package.")
        }
        // Every package type has an extension, so without one there is no need to ask a provider.
        guard [fileName, location.name].contains(where: { $0.dropFirst().contains(".") }) else {
            throw DocumentsError(
                .invalidArgument, "\(file) is a directory, but not a package: its name has no extension.",
                suggestion: "Export the files in it one by one.")
        }
        var there: Bool?
        if !location.name.isEmpty, !location.path.hasSuffix("/") {
            // An existing package is not a folder to export into.
            there = try await picker.existing(at: location).map { $0.isFolder && $0.contentType == "public.folder" }
        }
        let destination = Destination(location, fileName: fileName, isFolder: there)
        let item = try await withActivity("Exporting \(file)", isShown: progress.isShown) { activity in
            try await picker.exportPackage(from: file, to: destination.folder, name: destination.name) {
                activity?.set($0)
            }
        }
        try StandardOutput.write(SafeText.escaped(destination.location(of: item).description) + "\n")
        await SaveOutcome.report(item, at: destination.location(of: item), isNew: true, picker.client)
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension Destination {
    /// The location of the resulting document: the provider may have chosen another name.
    func location(of item: DocumentItem) -> DocumentLocation {
        var made = location
        if let path = item.path {
            made.path = path
        } else if item.name != name {
            made = Destination(folder, fileName: item.name, isFolder: true).location
        }
        return made
    }
}
