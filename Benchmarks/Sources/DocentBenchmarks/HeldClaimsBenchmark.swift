import Documents
import Foundation

/// A claim while very many other documents are claimed, against the same while none is.
enum HeldClaimsBenchmark {
    private static let clients = 10
    private static let documents = 1000

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            _ = try installation.makeFile("small.bin", size: 1 << 14)
            let client = installation.client()
            defer { client.close() }
            let reference = try await DocumentPicker(client: client)
                .openDocument(at: installation.location("/small.bin")).reference
            let holders = try await holders(installation)
            defer { for holder in holders { holder.client.close() } }
            var alone: [Double] = []
            var crowded: [Double] = []
            for round in 0...settings.rounds {
                let first = try time(client, reference)
                let second = try await withAllHeld(holders[...]) { try time(client, reference) }
                guard round > 0 else { continue }
                alone.append(first)
                crowded.append(second)
            }
            return [
                .ratio(
                    "claim while \(clients * documents) other documents are claimed", goal: 1.2, "crowded", crowded,
                    to: "alone", alone, unit: "µs", scale: 1e-6)
            ]
        }
    }

    private struct Holder: Sendable {
        var client: DocumentsClient
        var intents: [FileAccessIntent]
    }

    private static func holders(_ installation: Installation) async throws -> [Holder] {
        func name(_ number: Int, _ document: Int) -> String { "held-\(number)-\(document).txt" }
        for number in 0..<clients {
            for document in 0..<documents {
                // Not synced, unlike our other files, because there are so many.
                try Data([0]).write(to: URL(fileURLWithPath: "\(installation.documents)/\(name(number, document))"))
            }
        }
        return try await withThrowingTaskGroup(of: Holder.self) { group in
            for number in 0..<clients {
                group.addTask {
                    let client = installation.client("org.docent.Benchmarks.Holder\(number)")
                    let picker = DocumentPicker(client: client)
                    var intents: [FileAccessIntent] = []
                    for document in 0..<documents {
                        let place = installation.location("/\(name(number, document))")
                        let reference = try await picker.openDocument(at: place).reference
                        // Blocks others like any writing claim, but needs no content.
                        intents.append(.writing(reference, options: .contentIndependentMetadataOnly))
                    }
                    return Holder(client: client, intents: intents)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func withAllHeld<Result>(
        _ holders: ArraySlice<Holder>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let holder = holders.first else { return try await body() }
        return try await FileCoordinator(client: holder.client).coordinate(with: holder.intents) { _ in
            try await withAllHeld(holders.dropFirst(), body)
        }
    }

    private static func time(_ client: DocumentsClient, _ reference: DocumentReference) throws -> Double {
        let count = 500
        return try Stopwatch.seconds {
            for _ in 0..<count {
                try FileCoordinator(client: client).coordinateBlocking(writingItemAt: reference) { _ in }
            }
        } / Double(count)
    }
}
