import Documents
import Foundation
import Glibc

/// The time until a waiting reader has the first byte of a small document: when idle, and while a folder is fetched in
/// the background.
enum FirstByteBenchmark {
    private static let bulk = 256

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            for folder in ["quiet", "busy", "bulk"] {
                try FileManager.default.createDirectory(
                    atPath: "\(server.data)/\(folder)", withIntermediateDirectories: false)
            }
            for number in 0..<settings.rounds {
                for folder in ["quiet", "busy"] {
                    try Installation.makeFile(at: "\(server.data)/\(folder)/\(number).bin", size: 64 << 10)
                }
            }
            try Installation.makeFile(at: server.data + "/bulk/0.bin", size: 16 << 20)
            for number in 1..<bulk { link(server.data + "/bulk/0.bin", "\(server.data)/bulk/\(number).bin") }
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let quiet = try await times("quiet", client, remote)
            let bare = try (0..<settings.rounds).map { try remote.curl(remote.server.url + "quiet/\($0).bin") }
            try remote.installation.docent("pin", "\(remote.location("/bulk"))")
            let busy = try await times("busy", client, remote)
            let left = try await unfinished(client, remote)
            guard left > 0 else { throw Problem("the background was finished too early") }
            return [
                Finding(
                    what: "first byte of a document of 64 KiB that is not here", value: quiet.median * 1e3, unit: "ms",
                    goal: nil,
                    parts: [
                        .init(name: "slowest", value: (quiet.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "curl, the whole process", value: bare.median * 1e3, unit: "ms"),
                    ]),
                Finding(
                    what: "the same while \(bulk) × 16 MiB come in the background", value: busy.median * 1e3,
                    unit: "ms",
                    goal: nil,
                    parts: [
                        .init(name: "slowest", value: (busy.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "still waiting then", value: Double(left), unit: ""),
                    ]),
            ]
        }
    }

    private static func times(
        _ folder: String, _ client: DocumentsClient, _ remote: RemoteInstallation
    ) async throws -> [Double] {
        var times: [Double] = []
        for number in 0..<remote.installation.settings.rounds {
            let document = try await DocumentPicker(client: client).openDocument(
                at: remote.location("/\(folder)/\(number).bin"))
            let start = Stopwatch.now
            let descriptor = try await document.openForReading()
            var byte: UInt8 = 0
            let got = read(descriptor, &byte, 1)
            times.append(Stopwatch.now - start)
            close(descriptor)
            guard got == 1 else { throw Problem("there was no first byte") }
        }
        return times
    }

    private static func unfinished(_ client: DocumentsClient, _ remote: RemoteInstallation) async throws -> Int {
        var count = 0
        for try await item in DocumentPicker(client: client).items(in: remote.location("/bulk"))
        where !item.isDownloaded {
            count += 1
        }
        return count
    }
}
