import Documents
import Glibc

/// Opening a granted document, reading 4 KiB and closing it, against the same with the file itself.
enum OpenBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let path = try installation.makeFile("small.bin", size: 1 << 14)
            let client = installation.client()
            defer { client.close() }
            let kept = try await DocumentPicker(client: client).openDocument(at: installation.location("/small.bin"))
            return try measure(path, kept, rounds: max(settings.rounds, 15))
        }
    }

    private static func measure(_ path: String, _ kept: SecurityScopedDocument, rounds: Int) throws -> [Finding] {
        let bare = { open(path, O_RDONLY | O_CLOEXEC) }
        let repeated = { try kept.openForReading() }
        // A new object has no lease: each open asks the daemon and gets a lease, which ends with the object.
        let first = { try kept.client.document(kept.reference).openForReading() }
        var bareTimes: [Double] = []
        var repeatedTimes: [Double] = []
        var firstTimes: [Double] = []
        // The round before the first one is a warm-up and does not count.
        for round in 0...rounds {
            let times = (
                try time(4000, bare), try time(4000, repeated), try time(1000, first)
            )
            guard round > 0 else { continue }
            bareTimes.append(times.0)
            repeatedTimes.append(times.1)
            firstTimes.append(times.2)
        }
        return [
            .ratio(
                "open, read 4 KiB, close: through the daemon", goal: 10, "Docent", firstTimes, to: "bare file",
                bareTimes,
                unit: "µs", scale: 1e-6),
            .ratio(
                "open, read 4 KiB, close: again under a lease", goal: 3, "Docent", repeatedTimes, to: "bare file",
                bareTimes, unit: "µs", scale: 1e-6),
        ]
    }

    /// The seconds per open, read and close.
    private static func time(_ count: Int, _ open: () throws -> CInt) throws -> Double {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 4096)
        defer { buffer.deallocate() }
        return try Stopwatch.seconds {
            for _ in 0..<count {
                let descriptor = try open()
                let got = read(descriptor, buffer.baseAddress, buffer.count)
                close(descriptor)
                guard got == buffer.count else { throw Problem("a read gave \(got) bytes") }
            }
        } / Double(count)
    }
}
