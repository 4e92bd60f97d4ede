import Documents
import Foundation
import Glibc

/// A large changed document: the durable save, and the upload to the server, against `curl -T`.
enum UploadBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            try Data("old".utf8).write(to: URL(fileURLWithPath: server.data + "/large.bin"))
        } _: { remote in
            let source = try remote.installation.makeFile("source.bin", size: settings.largeSize)
            let client = remote.installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: remote.location("/large.bin"), access: .readWrite)
            var saves: [Double] = []
            let (sent, others) = try await Rounds.interleaved(settings.rounds) { round in
                let (saved, sent) = try await time(document, source, remote)
                if round > 0 { saves.append(saved) }
                return sent
            } others: { _ in
                sync()
                return try remote.curl("-T", source, remote.server.url + "other.bin")
            }
            let name = "upload \(settings.largeSize >> 20) MiB"
            return [
                .ratio(name, goal: 1.11, "Docent", sent, to: "curl -T", others, unit: "s", scale: 1),
                .ratio(
                    name + ", with the durable save", goal: nil, "Docent", zip(saves, sent).map { $0 + $1 },
                    to: "curl -T", others, unit: "s", scale: 1),
            ]
        }
    }

    /// The seconds of `commit`, and from there until the server has the document.
    private static func time(
        _ document: SecurityScopedDocument, _ source: String, _ remote: RemoteInstallation
    ) async throws -> (saved: Double, sent: Double) {
        let size = remote.installation.settings.largeSize
        let session = try await document.beginWriting(replacing: true)
        try copy(source, to: session.descriptor)
        sync()
        let start = Stopwatch.now
        try await session.commit()
        let saved = Stopwatch.now
        try remote.installation.docent("drain", "--timeout", "600")
        let end = Stopwatch.now
        var status = stat()
        guard stat(remote.server.data + "/large.bin", &status) == 0, Int(status.st_size) == size else {
            throw Problem("the server does not have what was saved")
        }
        // Otherwise the next round would find the same content.
        try Data("old".utf8).write(to: URL(fileURLWithPath: remote.server.data + "/large.bin"))
        try remote.installation.docent("refresh", "\(remote.location("/"))")
        return (saved - start, end - saved)
    }

    private static func copy(_ source: String, to target: CInt) throws {
        let descriptor = open(source, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem("\(source) cannot be opened") }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            let got = read(descriptor, buffer.baseAddress, buffer.count)
            guard got > 0 else { return }
            guard write(target, buffer.baseAddress, got) == got else { throw Problem("the staged file is too small") }
        }
    }
}
