import Documents
import Foundation
import Glibc

/// A choice that is on disk before it is answered, by a client that has 20,000 rights already, against a plain `fsync`
/// of a small file. Flatpak's document portal takes 25 to 72 ms without syncing, and 200 ms with it.
enum GrantBenchmark {
    private static let documents = 20_000

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            _ = try installation.makeFile("first.bin", size: 16)
            try installation.docent("cat", "org.docent.LocalFolder:/first.bin")
            try ManyGrants.add(installation, clients: 1, documents: documents)
            for round in 0...settings.rounds {
                for number in 0..<10 { _ = try installation.makeFile("new-\(round)-\(number).bin", size: 16) }
            }
            let client = installation.client("org.example.client0")
            defer { client.close() }
            let picker = DocumentPicker(client: client)
            let (grants, syncs) = try await Rounds.interleaved(settings.rounds) { round in
                let start = Stopwatch.now
                for number in 0..<10 {
                    _ = try await picker.openDocument(at: installation.location("/new-\(round)-\(number).bin"))
                }
                return (Stopwatch.now - start) / 10
            } others: { round in
                try Stopwatch.seconds {
                    for number in 0..<10 {
                        _ = try Installation.makeFile(at: "\(installation.root)/sync-\(round)-\(number)", size: 16)
                    }
                } / 10
            }
            return [
                Finding(
                    what: "choose a document for a client with \(documents) rights, durably",
                    value: grants.median * 1e3, unit: "ms", goal: 25,
                    parts: [.init(name: "make and fsync a small file", value: syncs.median * 1e3, unit: "ms")])
            ]
        }
    }
}
