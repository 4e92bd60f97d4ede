import DocentTestSupport
import FileProviderValidation
import Testing

/// A real server that stores the change of a killed provider only after the document was read again.
@Suite(.needs(.programs, .server)) struct LateChangeTests {
    @Test("a change that appears after the next look at the document is no finding of kill.modifying")
    func modifying() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "kill.modifying" })
        try await WebDAVServer.with(.rclone) { server in
            try await FaultProxy.with(server.url) { proxy in
                var hasAppeared = false
                // The held MOVE is most of what a change takes, so most of the eight kills of a run fall into it. Only
                // a very busy machine needs a second run.
                for seed in UInt64(1)...5 where !hasAppeared {
                    try await proxy.reset()
                    // Only a MOVE that replaces a document has a condition: the lock on it.
                    try await proxy.add(.late(0.5).on("MOVE").having("If").always)
                    let result = await Self.run(testCase, through: proxy.url, seed: seed)
                    let lines = ValidationReport.lines(of: result).joined(separator: "\n")
                    #expect(result.outcome == .passed, "seed \(seed): \(lines)")
                    hasAppeared = Self.hasLateChange(try await proxy.requests())
                }
                #expect(hasAppeared, "no kill hit a held MOVE whose content was there at the look after the next")
            }
        }
    }

    /// Runs a case with the WebDAV plugin in its own process.
    private static func run(_ testCase: ValidationCase, through url: String, seed: UInt64) async -> CaseResult {
        var options = ValidationOptions()
        options.seed = seed
        options.identifiersArePaths = true
        let provider = ProviderSubject(
            identifier: "org.docent.WebDAV.FileProvider", principalClass: "WebDAV.WebDAVProvider",
            displayName: "WebDAV", settings: ["url": url])
        let transport = WireTransport.spawned(
            Installation.binaries + "/loader-probe", arguments: [Installation.binaries + "/libWebDAV.so"],
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"])
        return await CaseExecution(options, provider, transport).run(testCase)
    }

    /// Whether the server stored a change of a killed provider after one look at the document, and the next look found
    /// it, because no other change was stored between them.
    private static func hasLateChange(_ requests: [FaultProxy.Request]) -> Bool {
        let stored = requests.filter { $0.method == "MOVE" && (200...299).contains($0.upstreamStatus ?? 0) }
        let looks = requests.filter { $0.method == "GET" }.map(\.number)
        return stored.contains { change in
            guard let look = change.late, let next = looks.first(where: { $0 > look }) else { return false }
            return !stored.contains { $0.late == nil && $0.number > look && $0.number < next }
        }
    }
}
