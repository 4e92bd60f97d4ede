import Documents
import Foundation
import Glibc

/// How much the peak memory of daemon and extension is higher after a very large document than after a small one.
enum RemoteMemoryBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        let size = 4 * settings.largeSize
        return try await RemoteInstallation.with(settings) { server in
            for name in ["small.bin", "target.bin"] {
                try Installation.makeFile(at: "\(server.data)/\(name)", size: 16 << 20)
            }
            // A sparse file on the server; the copy here is written in full.
            _ = FileManager.default.createFile(atPath: server.data + "/huge.bin", contents: nil)
            guard truncate(server.data + "/huge.bin", size) == 0 else { throw Problem("no file of \(size) bytes") }
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            try await pass("small.bin", client, remote)
            let peaks = try MemoryPeaks(remote.installation)
            let before = peaks.values
            try await pass("huge.bin", client, remote)
            let after = try peaks.end()
            return zip(["daemon", "extension"], zip(before, after)).map { name, peak in
                Finding(
                    what: "more memory of the \(name) for \(size >> 20) MiB down and up than for 16 MiB",
                    value: peak.1 - peak.0, unit: "MiB", goal: 16,
                    parts: [
                        .init(name: "peak then", value: peak.1, unit: "MiB"),
                        .init(name: "peak before", value: peak.0, unit: "MiB"),
                    ])
            }
        }
    }

    /// Reads a document, and saves its content as another one.
    private static func pass(_ name: String, _ client: DocumentsClient, _ remote: RemoteInstallation) async throws {
        let picker = DocumentPicker(client: client)
        let document = try await picker.openDocument(at: remote.location("/" + name))
        let descriptor = try await document.openForReading()
        defer { close(descriptor) }
        try remote.installation.docent(
            "write", "\(remote.location("/target.bin"))", input: "/dev/fd/\(descriptor)")
        try remote.installation.docent("drain", "--timeout", "900")
    }
}
