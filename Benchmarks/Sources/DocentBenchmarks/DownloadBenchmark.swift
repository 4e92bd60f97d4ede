import Documents
import Glibc

/// A large document that is not on this machine: from the call until it can be read, against `curl -o`.
enum DownloadBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            try Installation.makeFile(at: server.data + "/large.bin", size: settings.largeSize)
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(at: remote.location("/large.bin"))
            let copy = remote.installation.home + "/copy.bin"
            var synced: [Double] = []
            let (ours, others) = try await Rounds.interleaved(settings.rounds) { _ in
                try await time(document, remote)
            } others: { round in
                sync()
                let fetched = try remote.curl("-o", copy, remote.server.url + "large.bin")
                let written = try Program.run("/bin/sync", [copy], environment: remote.installation.environment)
                if round > 0 { synced.append(fetched + written) }
                unlink(copy)
                return fetched
            }
            let name = "download \(settings.largeSize >> 20) MiB"
            return [
                .ratio(name, goal: 1.11, "Docent", ours, to: "curl -o", others, unit: "s", scale: 1),
                .ratio(
                    name + ", both durable", goal: nil, "Docent", ours, to: "curl -o, sync", synced, unit: "s", scale: 1
                ),
            ]
        }
    }

    private static func time(_ document: SecurityScopedDocument, _ remote: RemoteInstallation) async throws -> Double {
        try remote.installation.docent("evict", "\(remote.location("/large.bin"))")
        sync()
        let start = Stopwatch.now
        let descriptor = try await document.openForReading()
        let seconds = Stopwatch.now - start
        var status = stat()
        fstat(descriptor, &status)
        close(descriptor)
        document.stopAccessing()
        guard Int(status.st_size) == remote.installation.settings.largeSize else {
            throw Problem("\(status.st_size) bytes came")
        }
        return seconds
    }
}
