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
            var whole: [Double] = []
            var first: [Double] = []
            var others: [Double] = []
            for _ in 0..<settings.rounds {
                whole.append(try installation.docent("ls", "--json", "LocalFolder:/many"))
                first.append(try await firstItem(installation))
                others.append(try Program.run("/bin/ls", ["-l", folder], environment: installation.environment))
            }
            return [
                Finding(
                    what: "docent ls --json of \(settings.folderSize) files", value: whole.median, unit: "s", goal: nil,
                    parts: [
                        .init(name: "the very first time", value: made, unit: "s"),
                        .init(name: "/bin/ls -l", value: others.median, unit: "s"),
                    ]),
                Finding(
                    what: "first page of \(settings.folderSize) files", value: first.median * 1e3, unit: "ms",
                    goal: nil,
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
