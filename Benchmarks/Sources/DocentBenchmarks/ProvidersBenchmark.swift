/// `docent providers`, from start to end, with a running daemon.
enum ProvidersBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            for _ in 0..<3 { try installation.docent("providers") }
            var times: [Double] = []
            var nothing: [Double] = []
            for _ in 0..<max(settings.rounds, 20) {
                times.append(try installation.docent("providers"))
                nothing.append(try Program.run("/bin/true", [], environment: installation.environment))
            }
            return [
                Finding(
                    what: "docent providers, daemon warm", value: times.median * 1e3, unit: "ms", goal: 30,
                    parts: [
                        .init(name: "slowest", value: (times.max() ?? 0) * 1e3, unit: "ms"),
                        .init(name: "/bin/true", value: nothing.median * 1e3, unit: "ms"),
                    ])
            ]
        }
    }
}
