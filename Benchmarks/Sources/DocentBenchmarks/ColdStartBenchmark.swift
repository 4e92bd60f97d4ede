import Documents

/// The first call to a provider whose extension is not running, from a client with an open session.
enum ColdStartBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings, environment: ["DOCENT_EXTENSION_IDLE_SECONDS": "0.1"]) { installation in
            _ = try installation.makeFile("small.bin", size: 100)
            let client = installation.client()
            defer { client.close() }
            let picker = DocumentPicker(client: client)
            var cold: [Double] = []
            var warm: [Double] = []
            for _ in 0..<settings.rounds {
                try await wait(installation)
                _ = try await client.providers()
                cold.append(try await time(picker, installation))
                warm.append(try await time(picker, installation))
            }
            return [
                Finding(
                    what: "first call into a cold provider", value: cold.median * 1e3, unit: "ms", goal: 20,
                    parts: [
                        .init(name: "slowest", value: (cold.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "the next call", value: warm.median * 1e3, unit: "ms"),
                    ])
            ]
        }
    }

    private static func time(_ picker: DocumentPicker, _ installation: Installation) async throws -> Double {
        let start = Stopwatch.now
        _ = try await picker.item(at: installation.location("/small.bin"))
        return Stopwatch.now - start
    }

    private static func wait(_ installation: Installation) async throws {
        let deadline = Stopwatch.now + 60
        while try !installation.extensionProcesses().isEmpty {
            guard Stopwatch.now < deadline else { throw Problem("the extension does not end when it is idle") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
