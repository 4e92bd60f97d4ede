import Glibc

/// `docent import` of a large document against `cp`; neither waits for the disk.
enum ImportBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let source = try installation.makeFile("large.bin", size: settings.largeSize)
            let copy = installation.home + "/copy.bin"
            let docent = {
                try timed(copy) { try installation.docent("import", "LocalFolder:/large.bin", "-o", copy) }
            }
            let plain = {
                try timed(copy) { try Program.run("/bin/cp", [source, copy], environment: installation.environment) }
            }
            _ = (try docent(), try plain())
            var ours: [Double] = []
            var others: [Double] = []
            for round in 0..<settings.rounds {
                if round.isMultiple(of: 2) {
                    ours.append(try docent())
                    others.append(try plain())
                } else {
                    others.append(try plain())
                    ours.append(try docent())
                }
            }
            return [
                .ratio(
                    "import \(settings.largeSize >> 20) MiB", goal: 1.05, "docent import", ours, to: "cp", others,
                    unit: "s", scale: 1)
            ]
        }
    }

    /// Measures it, checks the copy, and syncs everything so that the next run does not have to wait for it.
    private static func timed(_ copy: String, _ body: () throws -> Double) throws -> Double {
        let seconds = try body()
        guard unlink(copy) == 0 else { throw Problem("\(copy) was not made") }
        sync()
        return seconds
    }
}
