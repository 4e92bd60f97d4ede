import Documents
import Foundation
import Glibc

/// Very many small documents that a domain sees for the first time, 8 at a time, against `rclone copy`.
enum ManyDocumentsBenchmark {
    private static let count = 1_000
    private static let inFlight = 8

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            try FileManager.default.createDirectory(
                atPath: server.data + "/many", withIntermediateDirectories: false)
            for number in 0..<count {
                try Installation.makeFile(at: server.data + "/many/document \(number).bin", size: 16 << 10)
            }
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let (ours, others) = try await Rounds.interleaved(settings.rounds) { round in
                try remote.addDomain("round\(round)")
                sync()
                return try await time(DocumentPicker(client: client), remote, domain: "round\(round)")
            } others: { round in
                sync()
                return try remote.rclone(
                    "copy", "--transfers", "\(inFlight)", ":webdav:many", "\(remote.installation.home)/copy\(round)")
            }
            return [
                .ratio(
                    "fetch \(count) documents of 16 KiB, \(inFlight) in flight", goal: 1, "Docent", ours,
                    to: "rclone copy", others, unit: "s", scale: 1)
            ]
        }
    }

    /// Lists the folder and imports every document in it.
    private static func time(
        _ picker: DocumentPicker, _ remote: RemoteInstallation, domain: String
    ) async throws -> Double {
        let start = Stopwatch.now
        var items = picker.items(in: remote.location("/many", domain: domain)).makeAsyncIterator()
        let fetched = try await withThrowingTaskGroup(of: Int.self) { group in
            var fetched = 0
            var waiting = 0
            while let item = try await items.next() {
                if waiting == inFlight {
                    fetched += try await group.next() ?? 0
                    waiting -= 1
                }
                let location = remote.location("/many/" + item.name, domain: domain)
                group.addTask {
                    try await picker.importDocument(at: location).item.size == 16 << 10 ? 1 : 0
                }
                waiting += 1
            }
            for try await one in group { fetched += one }
            return fetched
        }
        let seconds = Stopwatch.now - start
        guard fetched == count else { throw Problem("\(fetched) of \(count) documents came") }
        return seconds
    }
}
