import Documents
import Glibc

/// Reading a large document from start to end, against the file itself; both from the page cache.
enum ReadBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let path = try installation.makeFile("large.bin", size: settings.largeSize)
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: installation.location("/large.bin"))
            return [try measure(path, document, settings)]
        }
    }

    private static func measure(_ path: String, _ document: SecurityScopedDocument, _ settings: Settings) throws
        -> Finding
    {
        var ours: [Double] = []
        var bare: [Double] = []
        let docent = { try time(try document.openForReading(), settings.largeSize) }
        let direct = { try time(open(path, O_RDONLY | O_CLOEXEC), settings.largeSize) }
        _ = (try docent(), try direct())
        for round in 0..<settings.rounds {
            if round.isMultiple(of: 2) {
                ours.append(try docent())
                bare.append(try direct())
            } else {
                bare.append(try direct())
                ours.append(try docent())
            }
        }
        return .ratio(
            "read \(settings.largeSize >> 20) MiB in sequence", goal: 1.05, "Docent", ours, to: "bare file", bare,
            unit: "s", scale: 1)
    }

    private static func time(_ descriptor: CInt, _ size: Int) throws -> Double {
        guard descriptor >= 0 else { throw Problem("the file cannot be opened") }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
        defer { buffer.deallocate() }
        var total = 0
        let seconds = Stopwatch.seconds {
            while true {
                let got = read(descriptor, buffer.baseAddress, buffer.count)
                if got <= 0 { break }
                total += got
            }
        }
        guard total == size else { throw Problem("\(total) of \(size) bytes were read") }
        return seconds
    }
}
