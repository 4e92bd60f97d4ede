import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import TerminalPicker
import Varlink

struct PicksAnswerCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Choose a document for the program that asked.",
        discussion: """
            For import and open, LOCATION is the document; for export and move, the folder. The program gets at most \
            what it asked for. It may keep the right permanently unless --once is given; --for ends it after that \
            time: 90s, 15m, 8h, 30d.

            Without LOCATION you choose on the terminal, which shows who asks and what for; without REQUEST, for the \
            one that has waited longest, or for the next one. What is given there must be confirmed once more.

            EXAMPLES
              docent picks answer
              docent picks answer 3F2504E0 LocalFolder:/notes.txt
              docent picks answer 3F2504E0 LocalFolder:/film.mkv \\
                --companions '{stem}.srt' --for 8h
              docent picks answer 3F2504E0 LocalFolder:/reports --name july.pdf
            """)

    @Argument(help: ArgumentHelp("The request, or an unambiguous beginning of its name.", valueName: "request"))
    var identifier: String?

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .long, help: "Grant only reading.")
    var readOnly = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also grant files beside it with such a name, if the program asked for them.", valueName: "pattern"))
    var companions: [String] = []

    @Option(name: .long, help: ArgumentHelp("Export or move it under this name.", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End the right after this time.", valueName: "time"),
        transform: DurationText.parse)
    var duration: Double?

    @Flag(name: .long, help: "End the right with the program.")
    var once = false

    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard location == nil else { return }
        guard TerminalDevice.isPresent, StandardError.isTerminal else {
            throw ValidationError("Missing expected argument '<location>'")
        }
        guard duration == nil, companions.isEmpty else {
            throw ValidationError("--for and --companions need a LOCATION; the picker asks for them.")
        }
    }

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        guard let location, let identifier else { return try await choose(administrator) }
        let request = try await PickText.request(identifier, administrator)
        _ = try await administrator.call(
            AdministrationInterface.AnswerPick.self,
            .init(
                identifier: request.identifier, location: location.wire, access: readOnly ? "read" : nil, name: name,
                persist: once ? false : nil, expires: duration, companions: companions.isEmpty ? nil : companions),
            attempts: 1)
    }

    /// Asks with the picker: for the given request, or for the one that waits longest.
    private func choose(_ administrator: DocumentsClient) async throws {
        // One call from the beginning to the end: without a listener the daemon refuses what waits.
        let watch = PickWatch(administrator)
        defer { watch.end() }
        let request = try await request(in: watch)
        let terms = PickerTerms(isReadOnly: readOnly, lifetime: once ? .program : .kept)
        let left = try await PickAnswering(
            request, administrator: administrator, watch: watch, terms: terms, name: name
        ).run()
        guard left > 0 else { return }
        StandardError.write(
            "docent: \(left == 1 ? "One other request waits" : "\(left) other requests wait"): docent picks answer\n")
    }

    /// The request to answer. If none was named and none waits, the next one.
    private func request(in watch: PickWatch) async throws -> Wire.PickRequest {
        var isTold = false
        for await requests in watch.lists {
            if let identifier { return try PickText.find(identifier, in: requests) }
            if let oldest = requests.min(by: { $0.since < $1.since }) { return oldest }
            if !isTold { StandardError.write("docent: No program asks yet. Waiting for one.\n") }
            isTold = true
        }
        try await watch.failure()
        throw CancellationError()
    }
}
