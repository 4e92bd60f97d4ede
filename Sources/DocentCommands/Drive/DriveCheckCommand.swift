import ArgumentParser
import CommandConsole
import Documents

struct DriveCheckCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read all of a drive and verify every hash.",
        discussion: """
            Reads every object that this machine knows of from the store: the logs of all machines, and all chunks of \
            content. Nothing is changed. Exits with 1 if anything is missing or was changed.

            EXAMPLES
              docent drive check
              docent drive check home --json | jq '.problems'
            """)

    @OptionGroup var selection: DriveSelection
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let drive = try await selection.open()
        var problems: [[String: String]] = []
        var (done, bytes) = (0, 0)
        var next: String?
        let line = StatusLine()
        defer { line.clear() }
        repeat {
            try Task.checkCancellation()
            let rows = try await drive.perform("check", next.map { ["from": $0] } ?? [:])
            let step = rows.first ?? [:]
            problems += rows.dropFirst()
            done += Int(step["done"] ?? "") ?? 0
            bytes += Int(step["bytes"] ?? "") ?? 0
            guard step["next"] != next || next == nil else {
                throw DocumentsError(.failed, "The provider does not get on with the check.")
            }
            next = step["next"]
            line.show("Checking \(done) of \(step["total"] ?? "?"), \(ByteCount.text(bytes))")
        } while next != nil
        line.clear()
        if format.json {
            try StandardOutput.write(
                JSONValue.object([
                    "bytes": .integer(bytes), "objects": .integer(done),
                    "problems": .array(problems.map(DriveText.record(problem:))),
                ]).pretty)
        } else {
            try StandardOutput.write(DriveText.problems(problems))
            try StandardOutput.write(DriveText.checked(objects: done, bytes: bytes, problems: problems.count))
        }
        if !problems.isEmpty { throw SilentExit(status: .failed) }
    }
}
