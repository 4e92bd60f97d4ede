import Foundation
import Glibc

/// Measures the cost of Docent, as ratios to doing the same without it where possible.
@main
struct Benchmarks {
    private static let all: [(name: String, run: @Sendable (Settings) async throws -> [Finding])] =
        [
            ("open", OpenBenchmark.run), ("read", ReadBenchmark.run), ("view", ViewBenchmark.run),
            ("remote-view", RemoteViewBenchmark.run),
            ("cold", ColdStartBenchmark.run),
            ("cat", CatBenchmark.run), ("providers", ProvidersBenchmark.run),
            ("many-providers", ManyProvidersBenchmark.run),
            ("import", ImportBenchmark.run), ("list", ListBenchmark.run),
            ("memory", MemoryBenchmark.run), ("download", DownloadBenchmark.run), ("upload", UploadBenchmark.run),
            ("many", ManyDocumentsBenchmark.run), ("remote-list", RemoteListBenchmark.run),
            ("coordinated-read", CoordinatedReadBenchmark.run), ("contention", ContentionBenchmark.run),
            ("held-claims", HeldClaimsBenchmark.run), ("first-byte", FirstByteBenchmark.run),
            ("remote-memory", RemoteMemoryBenchmark.run), ("rights", RightsBenchmark.run),
            ("grant", GrantBenchmark.run), ("bookmark", BookmarkBenchmark.run), ("versions", VersionBenchmark.run),
        ]
        + ValidateBenchmark.languages.map { language in
            ("validate", { @Sendable settings in try await ValidateBenchmark.run(settings, language) })
        }

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "worker" { return try ContentionWorker.main(arguments) }
            let settings = try Settings(arguments)
            var load = [0.0]
            getloadavg(&load, 1)
            // With --json, standard output is only for the JSON.
            let figures = settings.isJSON ? FileHandle.standardError : FileHandle.standardOutput
            var run = BenchmarkRun(Report(rounds: settings.rounds, isQuick: settings.isQuick, loadAverage: load[0])) {
                text in
                figures.write(Data(text.utf8))
            }
            for benchmark in all where settings.includes(benchmark.name) {
                FileHandle.standardError.write(Data("measuring \(benchmark.name)…\n".utf8))
                await run.perform(benchmark.name) { try await benchmark.run(settings) }
            }
            figures.write(Data(run.report.summary.utf8))
            if settings.isJSON { FileHandle.standardOutput.write(Data(try run.report.json().utf8)) }
            if !run.report.failures.isEmpty || settings.isQuick && !run.report.exceeded.isEmpty { exit(1) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
