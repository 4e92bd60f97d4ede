import ArgumentParser
import CommandConsole
import Documents

struct DriveGCCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Free space in the store that nothing in a drive needs any more.",
        discussion: """
            Gives up what was deleted, and versions that were replaced, more than --keep-days ago, and frees the space \
            in the store once every machine of the drive has confirmed that it needs nothing of it. Machines confirm \
            by themselves when they next look at the drive; this command says which ones it waits for, and continues \
            when it is run again. A machine that is never coming back holds it up until `docent drive remove-device`.

            EXAMPLES
              docent drive gc --dry-run
              docent drive gc
              docent drive gc home --keep-days 7 --json
            """)

    @OptionGroup var selection: DriveSelection

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep what was deleted or replaced within so many days; 0 keeps nothing of it.", valueName: "n"))
    var keepDays = 30

    @Flag(name: .long, help: "Only say what would be freed.")
    var dryRun = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard (0...36_500).contains(keepDays) else {
            throw ValidationError("--keep-days must be between 0 and 36500.")
        }
    }

    func run() async throws {
        let drive = try await selection.open()
        var arguments = ["keepDays": String(keepDays)]
        if dryRun { arguments["dryRun"] = "yes" }
        let line = StatusLine()
        defer { line.clear() }
        var items = 0
        var rows: [[String: String]]
        repeat {
            try Task.checkCancellation()
            rows = try await drive.perform("gc", arguments)
            items += Int(rows.first?["items"] ?? "") ?? 0
            line.show("Freeing \(rows.first?["packs"] ?? "?") objects")
        } while rows.first?["state"] == "more"
        line.clear()
        let outcome = rows.first ?? [:]
        let waitsFor = Array(rows.dropFirst())
        guard format.json else {
            return try StandardOutput.write(DriveText.collected(outcome, items: items, waitsFor: waitsFor))
        }
        try StandardOutput.write(DriveText.record(collected: outcome, items: items, waitsFor: waitsFor).pretty)
    }
}
