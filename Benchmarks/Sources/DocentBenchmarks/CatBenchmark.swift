/// `docent cat` of a small local document, from start to end, with a running daemon.
enum CatBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let path = try installation.makeFile("small.bin", size: 1 << 14)
            for _ in 0..<3 { try installation.docent("cat", "LocalFolder:/small.bin") }
            var times: [Double] = []
            var starts: [Double] = []
            var bare: [Double] = []
            for _ in 0..<max(settings.rounds, 20) {
                times.append(try installation.docent("cat", "LocalFolder:/small.bin"))
                starts.append(try installation.docent("--version"))
                bare.append(try Program.run("/bin/cat", [path], environment: installation.environment))
            }
            return [
                Finding(
                    what: "docent cat of a local document, daemon warm", value: times.median * 1e3, unit: "ms",
                    goal: 12,
                    parts: [
                        .init(name: "slowest", value: (times.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "docent --version", value: starts.median * 1e3, unit: "ms"),
                        .init(name: "/bin/cat", value: bare.median * 1e3, unit: "ms"),
                    ])
            ]
        }
    }
}
