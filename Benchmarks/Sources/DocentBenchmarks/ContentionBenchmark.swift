import Documents
import Glibc

/// Processes that compete to write one document: the cost of a hand-over, how fairly turns are distributed, and how
/// soon the claim of a killed process is released.
enum ContentionBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let path = try installation.makeFile("small.bin", size: 1 << 14)
            let client = installation.client()
            defer { client.close() }
            let reference = try await DocumentPicker(client: client)
                .openDocument(at: installation.location("/small.bin")).reference
            var findings: [Finding] = []
            for count in [2, 64] { findings += try compare(count, installation, reference, path, settings.rounds) }
            findings.append(try await killed(installation, client, reference, settings.rounds))
            return findings
        }
    }

    /// Lets this many processes take turns for a second, with claims and with flock(2).
    private static func compare(
        _ count: Int, _ installation: Installation, _ reference: DocumentReference, _ path: String, _ rounds: Int
    ) throws -> [Finding] {
        var claims: [Double] = []
        var locks: [Double] = []
        var fairness: [Double] = []
        var lockFairness: [Double] = []
        for round in 0...rounds {
            let byClaims = try turns(count, .claim(reference), installation)
            let byLocks = try turns(count, .lock(path), installation)
            guard round > 0 else { continue }
            claims.append(1 / Double(byClaims.reduce(0, +)))
            locks.append(1 / Double(byLocks.reduce(0, +)))
            fairness.append(mostToLeast(byClaims))
            lockFairness.append(mostToLeast(byLocks))
        }
        return [
            .ratio(
                "hand-over between \(count) writers in \(count) processes", goal: nil, "claims", claims, to: "flock",
                locks, unit: "µs", scale: 1e-6),
            Finding(
                what: "most to least turns of \(count) writers", value: fairness.median, unit: "times", goal: nil,
                parts: [
                    .init(name: "worst round", value: fairness.max() ?? 0, unit: "times"),
                    .init(name: "flock", value: lockFairness.median, unit: "times"),
                ]),
        ]
    }

    private static func mostToLeast(_ turns: [Int]) -> Double {
        Double(turns.max() ?? 0) / Double(max(1, turns.min() ?? 0))
    }

    private static func turns(
        _ count: Int, _ work: ContentionWorker.Work, _ installation: Installation
    ) throws -> [Int] {
        let workers = try (0..<count).map { _ in try ContentionProcess(work, installation) }
        defer { for worker in workers { worker.end() } }
        for worker in workers { _ = try worker.line() }
        for worker in workers { worker.begin() }
        return try workers.map { worker in
            guard let turns = Int(try worker.line()) else { throw Problem("a worker did not count") }
            return turns
        }
    }

    /// The time from SIGKILL of the holder until the waiter has the claim.
    private static func killed(
        _ installation: Installation, _ client: DocumentsClient, _ reference: DocumentReference, _ rounds: Int
    ) async throws -> Finding {
        var times: [Double] = []
        for _ in 0..<rounds {
            let holder = try ContentionProcess(.hold(reference), installation)
            defer { holder.end() }
            _ = try holder.line()
            holder.begin()
            _ = try holder.line()
            let process = holder.process
            let killing = Task.detached { () -> Double in
                try await Task.sleep(for: .milliseconds(200))
                let moment = Stopwatch.now
                kill(process, SIGKILL)
                return moment
            }
            let granted = try await FileCoordinator(client: client).coordinate(writingItemAt: reference) { _ in
                Stopwatch.now
            }
            times.append(granted - (try await killing.value))
        }
        return Finding(
            what: "claim of a killed holder is free", value: times.median * 1e3, unit: "ms", goal: 100,
            parts: [.init(name: "slowest", value: (times.max() ?? 0) * 1e3, unit: "ms")])
    }
}
