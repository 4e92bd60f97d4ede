import DriveStore
import FileProvider

extension DriveProvider {
    private static let mostDays = 36_500

    /// Removes what nobody needs from the store.
    func collect(_ device: DriveDevice, _ arguments: [String: String]) async throws -> [[String: String]] {
        guard let days = Int(arguments["keepDays"] ?? ""), (0...Self.mostDays).contains(days) else {
            throw FileProviderError(.invalidArgument, "The number of days is between 0 and \(Self.mostDays).")
        }
        let isTrial = arguments["dryRun"] == "yes"
        let done = try await drive { () async throws(DriveError) in
            try await device.collect(keepDays: days, isTrial: isTrial)
        }
        let row = [
            "state": done.state.rawValue, "packs": String(done.packs), "bytes": String(done.bytes),
            "items": String(done.items),
        ]
        return [row]
            + done.waitsFor.map { ["waitsFor": $0.name, "identifier": $0.identifier.description] }
    }

    /// Mends what can be mended.
    func repair(_ device: DriveDevice, from cursor: String?) async throws -> [[String: String]] {
        let step = try await drive { () async throws(DriveError) in try await device.repair(from: cursor) }
        var row = ["done": String(step.done), "total": String(step.total)]
        row["next"] = step.next
        return [row] + step.mended.map { ["object": $0, "mended": "yes"] }
            + step.problems.map { ["object": $0.object, "problem": $0.error.explanation] }
    }
}
