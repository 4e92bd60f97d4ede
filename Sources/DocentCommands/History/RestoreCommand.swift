import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc

struct RestoreCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make an earlier version the content of its document.",
        discussion: """
            This is a save like any other: programs that have the document open save their changes first and see the \
            new content, and a remote document is sent. What is replaced is kept as a version, so that you can take it \
            back. With --to, the version becomes a new document, whose location is written; nothing is replaced.

            With --before and --client, everything that one program did since that time is taken back, the newest \
            first: what it deleted, moved, renamed and saved. New documents stay. Nothing is replaced or moved that \
            somebody else has changed since; each such change is listed, and the command exits with 6.

            EXAMPLES
              docent restore LocalFolder:/plan.txt --version b3F2A91C
              docent restore LocalFolder:/plan.txt --version b3F2A91C --to LocalFolder:/old/
              docent restore --before 2h --client org.example.Editor --dry-run
            """)

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(
        name: .customLong("version"),
        help: ArgumentHelp(
            "The version, as `docent history` names it; the beginning of its name is enough.", valueName: "v"),
        transform: VersionName.parse)
    var chosen: VersionName?

    @Option(
        name: .long,
        help: ArgumentHelp("A folder, or a folder and a new name, for a new document.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var to: DocumentLocation?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take back what was done since: a time ago (2h, 30d) or a date in UTC.", valueName: "moment"))
    var before: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --before, whose changes are taken back; otherwise act for this client, by default org.docent.cli.",
            valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Flag(name: .long, help: "With --before, only list what would be taken back.")
    var dryRun = false

    @Flag(name: .long, help: "With --before, do not ask.")
    var yes = false

    @Flag(name: .long, help: "With --before, answer in JSON; docs/json.md describes it.")
    var json = false

    @OptionGroup var report: ReportOptions

    func validate() throws {
        if let before {
            _ = try MomentText.parse(before, now: 0)
            guard client != nil else { throw ValidationError("--before needs --client: whose changes to take back.") }
            guard location == nil, chosen == nil, to == nil else {
                throw ValidationError("--before is about all documents: leave out LOCATION, --version and --to.")
            }
        } else {
            guard location != nil, chosen != nil else { throw ValidationError("Give a LOCATION and --version.") }
            guard !dryRun, !yes, !json else { throw ValidationError("--dry-run, --yes and --json need --before.") }
        }
    }

    func run() async throws {
        if let before, let client {
            return try await takeBack(
                by: client, since: MomentText.parse(before, now: Double(time(nil))))
        }
        guard let location, let chosen else { return }
        try await restore(location, chosen)
    }

    private func takeBack(by name: String, since start: Double) async throws {
        let found = try await ClientChanges(by: name, since: start, administrator: .administrator())
        var outcomes: [(Wire.Change, ClientChanges.Outcome)] = found.changes.map { ($0, .shown) }
        var isWhole = true
        if !dryRun, !found.changes.isEmpty {
            let count = found.changes.count == 1 ? "1 change" : "\(found.changes.count) changes"
            try Confirmation.require(
                "Take back \(count) by \(SafeText.escaped(name)) since \(Timestamp.text(start) ?? "-")?", isGiven: yes)
            outcomes = []
            isWhole = try await found.takeBack { change, outcome in
                outcomes.append((change, outcome))
                if !json { try StandardOutput.write(ClientChanges.line(change, outcome) + "\n") }
            }
        } else if !json {
            for (change, outcome) in outcomes {
                try StandardOutput.write(ClientChanges.line(change, outcome) + "\n")
            }
        }
        if json {
            try StandardOutput.write(JSONValue.array(outcomes.map(ClientChanges.json)).pretty)
        } else if outcomes.isEmpty {
            StandardError.write("docent: \(SafeText.escaped(name)) has changed nothing since then.\n")
        }
        guard isWhole else { throw SilentExit(status: .conflict) }
    }

    private func restore(_ location: DocumentLocation, _ chosen: VersionName) async throws {
        let client = ClientOptions.client(self.client ?? ClientOptions.standard)
        let picker = DocumentPicker(client: client)
        let document = try await picker.openDocument(
            at: location, access: to == nil ? .readWrite : .read, persistence: .transient)
        let version = try await chosen.find(of: document)
        guard let to else {
            let item = try await Self.restore(version, of: document)
            return await SaveOutcome.report(item, at: location, client)
        }
        let destination = try await Destination.find(to, file: version.localizedName, picker: picker)
        let item = try await Self.copy(version, to: destination, picker)
        try StandardOutput.write(SafeText.escaped(destination.location(of: item).description) + "\n")
        await SaveOutcome.report(item, at: destination.location(of: item), isNew: true, client)
    }

    /// Makes a version a document of its own. Never replaces anything.
    static func copy(
        _ version: FileVersion, to destination: Destination, _ picker: DocumentPicker
    ) async throws -> DocumentItem {
        guard !version.isPackage else {
            return try await picker.exportPackage(
                from: version, to: destination.folder, name: destination.name)
        }
        let file = try await version.openForReading()
        defer { close(file) }
        return try await picker.exportDocument(from: file, to: destination.folder, name: destination.name)
    }

    /// Makes a version current, after programs that have the document open have saved.
    static func restore(_ version: FileVersion, of document: SecurityScopedDocument) async throws -> DocumentItem {
        try await FileCoordinator(client: document.client).coordinate(
            writingItemAt: document.reference, options: .forMerging
        ) { access in
            try await version.replaceItem(within: access)
        }
    }
}
