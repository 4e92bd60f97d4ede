import Documents
import Glibc

/// An uncontended coordinated read with its descriptor, against a plain open through the daemon.
enum CoordinatedReadBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            _ = try installation.makeFile("small.bin", size: 1 << 14)
            let client = installation.client()
            defer { client.close() }
            let reference = try await DocumentPicker(client: client)
                .openDocument(at: installation.location("/small.bin")).reference
            return [try measure(client, reference, rounds: max(settings.rounds, 15))]
        }
    }

    private static func measure(
        _ client: DocumentsClient, _ reference: DocumentReference, rounds: Int
    ) throws -> Finding {
        var plain: [Double] = []
        var coordinated: [Double] = []
        // The round before the first one is a warm-up and does not count.
        for round in 0...rounds {
            let times = (
                try time(1000) { use in
                    // A new object has no lease, so each open asks the daemon.
                    let descriptor: CInt = try client.document(reference).openForReading()
                    try use(descriptor)
                    close(descriptor)
                },
                try time(1000) { use in
                    try FileCoordinator(client: client).coordinateBlocking(readingItemAt: reference) { access in
                        try use(access.descriptor)
                    }
                }
            )
            guard round > 0 else { continue }
            plain.append(times.0)
            coordinated.append(times.1)
        }
        return .ratio(
            "coordinated read of 4 KiB, uncontended", goal: 1.3, "coordinated", coordinated,
            to: "plain open through the daemon", plain, unit: "µs", scale: 1e-6)
    }

    /// The seconds per access.
    private static func time(_ count: Int, _ access: ((CInt) throws -> Void) throws -> Void) throws -> Double {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 4096)
        defer { buffer.deallocate() }
        return try Stopwatch.seconds {
            for _ in 0..<count {
                try access { descriptor in
                    let got = read(descriptor, buffer.baseAddress, buffer.count)
                    guard got == buffer.count else { throw Problem("a read gave \(got) bytes") }
                }
            }
        } / Double(count)
    }
}
