import Documents
import Foundation
import Glibc

/// What the history of documents costs: saves that keep what they replace, a long list of versions, and calls while
/// very many versions are thinned out.
enum VersionBenchmark {
    private static let listed = 1000
    private static let documents = 10_000
    private static let versions = 1_000_000

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await saves(settings) + [list(settings), thinning(settings)]
    }

    // MARK: Saving

    private static func saves(_ settings: Settings) async throws -> [Finding] {
        let local = try await Installation.with(settings) { installation in
            for name in ["kept.bin", "plain.bin"] { _ = try installation.makeFile(name, size: 1 << 20) }
            return try await compare(installation, "in a local folder") { installation.location($0) }
        }
        let remote = try await RemoteInstallation.with(settings) { server in
            for name in ["kept.bin", "plain.bin"] {
                try Installation.makeFile(at: "\(server.data)/\(name)", size: 1 << 20)
            }
        } _: { remote in
            try await compare(remote.installation, "of a remote document") { remote.location($0) }
        }
        return [local, remote]
    }

    /// Saves of 1 MiB that keep the megabyte before, and that keep nothing.
    private static func compare(
        _ installation: Installation, _ place: String, _ location: (String) -> DocumentLocation
    ) async throws -> Finding {
        let client = installation.client()
        defer { client.close() }
        let picker = DocumentPicker(client: client)
        let kept = try await picker.openDocument(at: location("/kept.bin"), access: .readWrite)
        let plain = try await picker.openDocument(at: location("/plain.bin"), access: .readWrite)
        // The content is on this machine, so that there is something to keep.
        for document in [kept, plain] { close(try await document.openForReading()) }
        try installation.docent("versions", "keep", "--off", "\(location("/plain.bin"))")
        let (with, without) = try await Rounds.interleaved(max(installation.settings.rounds, 15)) { round in
            try await save(kept, round)
        } others: { round in
            try await save(plain, round)
        }
        guard try await FileVersion.otherVersions(of: kept).count > 1,
            try await FileVersion.otherVersions(of: plain).isEmpty
        else { throw Problem("the saves did not keep what they should") }
        return .ratio(
            "save 1 MiB \(place), keeping what it replaces", goal: 1.1, "with versions", with, to: "without", without,
            unit: "ms", scale: 1e-3)
    }

    private static func save(_ document: SecurityScopedDocument, _ round: Int) async throws -> Double {
        let content = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 1 << 20)
        let start = Stopwatch.now
        let session = try await document.beginWriting(replacing: true)
        guard write(session.descriptor, content, content.count) == content.count else {
            throw Problem("the staged file cannot be written")
        }
        try await session.commit()
        return Stopwatch.now - start
    }

    // MARK: Listing

    private static func list(_ settings: Settings) async throws -> Finding {
        try await Installation.with(settings) { installation in
            let reference = try await document(installation)
            try ManyVersions.add(installation, reference, documents: 1, versions: listed)
            let client = installation.client()
            defer { client.close() }
            let document = client.document(reference)
            var times: [Double] = []
            for round in 0...settings.rounds {
                let start = Stopwatch.now
                let count = try await FileVersion.otherVersions(of: document).count
                if round > 0 { times.append(Stopwatch.now - start) }
                // The oldest may have been thinned out already.
                guard count > 50 else { throw Problem("there are only \(count) versions") }
            }
            return Finding(
                what: "list \(listed) versions of a document", value: times.median * 1e3, unit: "ms", goal: 20,
                parts: [.init(name: "slowest", value: (times.max() ?? 0) * 1e3, unit: "ms")])
        }
    }

    private static func document(_ installation: Installation) async throws -> DocumentReference {
        _ = try installation.makeFile("small.bin", size: 1 << 12)
        let client = installation.client()
        defer { client.close() }
        return try await DocumentPicker(client: client).openDocument(at: installation.location("/small.bin")).reference
    }

    // MARK: Thinning

    private static func thinning(_ settings: Settings) async throws -> Finding {
        try await Installation.with(settings) { installation in
            let reference = try await document(installation)
            try ManyVersions.add(installation, reference, documents: documents, versions: versions)
            let client = installation.client()
            defer { client.close() }
            // Thinning begins half a minute after the daemon.
            let idle = try calls(client, reference, seconds: 15)
            try await waitUntil(60) { try ManyVersions.count(installation) < versions }
            let busy = try calls(client, reference, seconds: 15)
            guard try ManyVersions.count(installation) > documents * 60 else {
                throw Problem("the versions were thinned out before the calls were measured")
            }
            return Finding(
                what: "a call while a million versions are thinned, 999 of 1000", value: busy.most * 1e3, unit: "ms",
                goal: 5,
                parts: [
                    .init(name: "median", value: busy.median * 1e3, unit: "ms"),
                    .init(name: "before, 999 of 1000", value: idle.most * 1e3, unit: "ms"),
                    .init(name: "before, median", value: idle.median * 1e3, unit: "ms"),
                ])
        }
    }

    /// The seconds of opens through the daemon: the median, and what 999 of 1000 do not exceed.
    private static func calls(
        _ client: DocumentsClient, _ reference: DocumentReference, seconds: Double
    ) throws -> (median: Double, most: Double) {
        let end = Stopwatch.now + seconds
        var times: [Double] = []
        while Stopwatch.now < end {
            // A new object has no lease, so each open asks the daemon.
            times.append(try Stopwatch.seconds { close(try client.document(reference).openForReading()) })
            usleep(1000)
        }
        let sorted = times.sorted()
        return (times.median, sorted[min(sorted.count - 1, sorted.count * 999 / 1000)])
    }

    private static func waitUntil(_ seconds: Double, _ condition: () throws -> Bool) async throws {
        let end = Stopwatch.now + seconds
        while try !condition() {
            guard Stopwatch.now < end else { throw Problem("nothing was thinned out in \(Int(seconds)) s") }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
