import ArgumentParser
import CommandConsole
import Documents

struct DriveRepairCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Verify all of a drive, and mend what can be mended.",
        discussion: """
            Reads every object like `docent drive check`. Content that is right in a broken object, or is elsewhere in \
            the store, is saved into a new object; lost parts of this machine's own log are written again. What is left \
            is listed: documents with lost content can be mended by a machine that still has them. Exits with 1 if \
            something is left.

            EXAMPLES
              docent drive repair
              docent drive repair home --json | jq '.problems'
            """)

    @OptionGroup var selection: DriveSelection
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let drive = try await selection.open()
        var mended: [String] = []
        var problems: [[String: String]] = []
        var done = 0
        var next: String?
        let line = StatusLine()
        defer { line.clear() }
        repeat {
            try Task.checkCancellation()
            let rows = try await drive.perform("repair", next.map { ["from": $0] } ?? [:])
            let step = rows.first ?? [:]
            mended += rows.dropFirst().filter { $0["mended"] != nil }.compactMap { $0["object"] }
            problems += rows.dropFirst().filter { $0["mended"] == nil }
            done += Int(step["done"] ?? "") ?? 0
            guard step["next"] != next || next == nil else {
                throw DocumentsError(.failed, "The provider does not get on with the repair.")
            }
            next = step["next"]
            line.show("Examined \(done) of \(step["total"] ?? "?")")
        } while next != nil
        line.clear()
        if format.json {
            try StandardOutput.write(
                JSONValue.object([
                    "mended": .array(mended.map { .string($0) }), "objects": .integer(done),
                    "problems": .array(problems.map(DriveText.record(problem:))),
                ]).pretty)
        } else {
            try StandardOutput.write(DriveText.mended(mended))
            try StandardOutput.write(DriveText.problems(problems))
            try StandardOutput.write(
                DriveText.repaired(objects: done, mended: mended.count, problems: problems.count))
        }
        if !problems.isEmpty { throw SilentExit(status: .failed) }
    }
}
