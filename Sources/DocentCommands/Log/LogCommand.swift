import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import Varlink

struct LogCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show who got access, who was refused, and who was given which right.",
        discussion: """
            The newest entries come first. Events: granted, taken (made to last), revoked, expired, refused, opened, \
            downloaded, merged (a conflict, by Docent itself). Similar opens, refusals and downloads within a minute \
            are one line with a count. A refusal is on disk before the client gets its answer; opens are written each \
            second.
            With --follow the newest entries come last, and new ones are printed until you interrupt the command. A \
            line whose count has grown appears again, with the same id, when its minute is over. With --json each line \
            is then an object.

            EXAMPLES
              docent log
              docent log --client org.example.editor --since 2h
              docent log --refused --follow
              docent log --item LocalFolder:/notes.txt --json
            """)

    @Option(
        name: .long, help: ArgumentHelp("Only what this client did.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Option(
        name: .long, help: ArgumentHelp("Only what was done with this document.", valueName: "location"),
        completion: LocationText.completion, transform: LocationText.parse)
    var item: DocumentLocation?

    @Flag(name: .long, help: "Only refusals.")
    var refused = false

    @Option(
        name: .long,
        help: ArgumentHelp("Only what happened since: a time ago (2h, 30d) or a date in UTC.", valueName: "moment"))
    var since: String?

    @Option(name: .long, help: ArgumentHelp("The maximum number of lines.", valueName: "n"))
    var limit = 100

    @Flag(name: .long, help: "Continue to print new entries.")
    var follow = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        if let since { _ = try MomentText.parse(since, now: 0) }
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
    }

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let parameters = AdministrationInterface.Log.Parameters(
            client: client, location: item?.wire, refused: refused ? true : nil,
            since: try since.map { try MomentText.parse($0, now: Double(time(nil))) }, limit: limit)
        guard follow else {
            let entries = try await administrator.call(AdministrationInterface.Log.self, parameters).value.entries
            if format.json {
                var records = JSONLines()
                try records.write(entries.map(JSONValue.init(entry:)))
                return try records.end()
            }
            return try StandardOutput.write(LogText.table(entries).shown)
        }
        let isJSON = format.json
        _ = try await administrator.follow(AdministrationInterface.Log.self, parameters) { reply in
            for entry in reply.entries {
                try StandardOutput.write(isJSON ? JSONValue(entry: entry).compact + "\n" : LogText.line(entry))
            }
        }
    }
}
