import Documents

/// The resident memory of an idle daemon that knows 100 manifests, and of one extension.
enum MemoryBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            // Two manifests each: 100 with those of LocalFolder itself.
            for number in 1..<50 { try installation.install("Benchmark\(number)") }
            _ = try installation.makeFile("small.bin", size: 100)
            try installation.docent("daemon", "stop")
            try installation.docent("providers", "--all")
            try await Task.sleep(for: .seconds(3))
            let daemon = try installation.daemonProcess()
            let idle = (try Installation.memory(daemon), try Installation.memory(daemon, "RssAnon"))
            try installation.docent("ls", "LocalFolder:/")
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: installation.location("/small.bin"))
            _ = try await document.item()
            try await Task.sleep(for: .seconds(3))
            let extensions = try installation.extensionProcesses()
            guard let largest = try extensions.map({ try Installation.memory($0) }).max() else {
                throw Problem("no extension runs")
            }
            return [
                Finding(
                    what: "idle daemon, 100 manifests", value: idle.0, unit: "MiB", goal: 32,
                    parts: [
                        .init(name: "anonymous", value: idle.1, unit: "MiB"),
                        .init(name: "after some use", value: try Installation.memory(daemon), unit: "MiB"),
                    ]),
                Finding(
                    what: "one extension (LocalFolder)", value: largest, unit: "MiB", goal: 12,
                    parts: [.init(name: "processes", value: Double(extensions.count), unit: "")]),
            ]
        }
    }
}
