import Documents
import Foundation

/// Listing a folder with very many files: all of it with the command line, and the first page with the SDK.
enum ListBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let folder = installation.documents + "/many"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for number in 0..<settings.folderSize {
                _ = FileManager.default.createFile(atPath: "\(folder)/document \(number).txt", contents: nil)
            }
            // The very first listing creates the identity records of all files, durably.
            let made = try installation.docent("ls", "--json", "LocalFolder:/many")
            let environment = installation.environment
            let json = try await Rounds.interleaved(settings.rounds) { _ in
                try installation.docent("ls", "--json", "LocalFolder:/many")
            } others: { _ in
                try Program.run(settings.rclone, ["lsjson", "--config", "", folder], environment: environment)
            }
            let long = try await Rounds.interleaved(settings.rounds) { _ in
                try installation.docent("ls", "LocalFolder:/many")
            } others: { _ in
                try Program.run("/bin/ls", ["-l", folder], environment: environment)
            }
            var first: [Double] = []
            for _ in 0..<settings.rounds { first.append(try await firstItem(installation)) }
            var whole = Finding.ratio(
                "docent ls --json of \(settings.folderSize) files", goal: 1, "docent ls --json", json.ours,
                to: "rclone lsjson", json.others, unit: "s", scale: 1)
            whole.parts.append(.init(name: "the very first time", value: made, unit: "s"))
            return [
                whole,
                .ratio(
                    "docent ls of \(settings.folderSize) files", goal: 1.5, "docent ls", long.ours, to: "/bin/ls -l",
                    long.others, unit: "s", scale: 1),
                Finding(
                    what: "first page of \(settings.folderSize) files", value: first.median * 1e3, unit: "ms", goal: 15,
                    parts: [.init(name: "slowest", value: (first.max() ?? 0) * 1e3, unit: "ms")]),
            ]
        }
    }

    private static func firstItem(_ installation: Installation) async throws -> Double {
        let client = installation.client()
        defer { client.close() }
        _ = try await client.providers()
        let start = Stopwatch.now
        var items = DocumentPicker(client: client).items(in: installation.location("/many")).makeAsyncIterator()
        guard try await items.next() != nil else { throw Problem("the folder is empty") }
        return Stopwatch.now - start
    }
}
