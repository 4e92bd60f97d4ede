import Documents
import Foundation
import Glibc

/// The cost of a right among a million rights of a thousand clients: its check, an open, the first page of the list,
/// and its line in the audit.
enum RightsBenchmark {
    private static let clients = 1000
    private static let documents = 1000

    private struct Inside: Decodable {
        var grants: Int
        var loadSeconds: Double
        var checkMicroseconds: Double
        var refusalMicroseconds: Double
        var folderMicroseconds: Double
        var pageMilliseconds: Double
        var noteMicroseconds: Double
    }

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            _ = try installation.makeFile("small.bin", size: 1 << 14)
            let few = try await opens(installation, settings.rounds)
            let fewPages = try pages(installation, settings.rounds)
            try ManyGrants.add(installation, clients: clients, documents: documents)
            let inside = try inside(installation)
            guard inside.grants > clients * documents else { throw Problem("there are \(inside.grants) rights") }
            let many = try await opens(installation, settings.rounds)
            let manyPages = try pages(installation, settings.rounds)
            let open = few.median * 1e6
            return [
                Finding(
                    what: "check a right among a million of a thousand clients, in the daemon",
                    value: inside.checkMicroseconds, unit: "µs", goal: 10,
                    parts: [
                        .init(name: "none found", value: inside.refusalMicroseconds, unit: "µs"),
                        .init(name: "by the sixth folder above", value: inside.folderMicroseconds, unit: "µs"),
                        .init(name: "read all at start", value: inside.loadSeconds, unit: "s"),
                    ]),
                .ratio(
                    "open through the daemon with a million rights", goal: 1.2, "a million", many, to: "one", few,
                    unit: "µs", scale: 1e-6),
                Finding(
                    what: "`docent grants`: first page of a million", value: manyPages.median * 1e3, unit: "ms",
                    goal: 200,
                    parts: [
                        .init(name: "of one", value: fewPages.median * 1e3, unit: "ms"),
                        .init(name: "in the daemon", value: inside.pageMilliseconds, unit: "ms"),
                    ]),
                Finding(
                    what: "the audit's share of an open", value: inside.noteMicroseconds / open * 100, unit: "%",
                    goal: 10,
                    parts: [
                        .init(name: "note and write", value: inside.noteMicroseconds, unit: "µs"),
                        .init(name: "open through the daemon", value: open, unit: "µs"),
                    ]),
            ]
        }
    }

    /// The seconds of an open through the daemon, round by round.
    private static func opens(_ installation: Installation, _ rounds: Int) async throws -> [Double] {
        let client = installation.client()
        defer { client.close() }
        let kept = try await DocumentPicker(client: client).openDocument(at: installation.location("/small.bin"))
        var times: [Double] = []
        for round in 0...max(rounds, 15) {
            let count = 1000
            let seconds = try Stopwatch.seconds {
                // A new object has no lease, so each open asks the daemon.
                for _ in 0..<count { close(try kept.client.document(kept.reference).openForReading()) }
            }
            if round > 0 { times.append(seconds / Double(count)) }
        }
        return times
    }

    private static func pages(_ installation: Installation, _ rounds: Int) throws -> [Double] {
        let command = "'\(installation.settings.docent)' grants 2>/dev/null | head -n 1"
        return try (0...rounds).map { _ in
            try Program.run("/bin/sh", ["-c", command], environment: installation.environment)
        }.dropFirst().map(\.self)
    }

    /// Measures the daemon's own module, on the database while no daemon is using it.
    private static func inside(_ installation: Installation) throws -> Inside {
        let output = installation.root + "/inside.json"
        try Program.run(
            installation.settings.rightsProgram, [ManyGrants.folder(installation)],
            environment: installation.environment, output: output)
        return try JSONDecoder().decode(Inside.self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    }
}
