import DocentTestSupport
import FileProviderValidation
import Glibc
import Testing

/// A provider must not make the validator hang or crash.
@Suite(.mayBlock) struct HostileProviderTests {
    private static let initialized = #"{"parameters":{"sdk":"hostile","features":[]}}"# + "\0"

    private func run(
        _ name: String = "listing.root", limit: Double = 60, callDeadline: Double = 0.5,
        _ behave: @escaping @Sendable (CInt) -> Void
    ) async throws -> CaseResult {
        let testCase = try #require(ValidationCase.all.first { $0.name == name })
        var options = ValidationOptions()
        options.callDeadline = callDeadline
        options.caseLimit = limit
        let subject = ProviderSubject(identifier: "org.example.Hostile", displayName: "Hostile")
        return await CaseExecution(options, subject, HostileTransport(behave: behave)).run(testCase)
    }

    private func got(_ result: CaseResult) -> String { result.findings.map(\.got).joined(separator: "\n") }

    @Test("a provider that disconnects at once is a finding")
    func hangsUp() async throws {
        let result = try await run { _ in }
        #expect(result.outcome == .failed)
        #expect(got(result).contains("hung up"))
    }

    @Test("a provider that sends nothing is a finding after the deadline")
    func silence() async throws {
        let result = try await run { socket in while HostileTransport.read(socket) != nil {} }
        #expect(result.outcome == .failed)
        #expect(got(result).contains("no answer, and no progress, for 0.5 s"))
    }

    @Test(
        "a violation of the protocol is a finding",
        arguments: [
            "no JSON\0", "[]\0", "{\0", #"{"parameters":{"sdk":1,"features":"many"}}"# + "\0",
            #"{"parameters":{}}"# + "\0", String(repeating: "[", count: 100_000) + "\0", "\0", "\0\0\0",
            #"{"parameters":{"sdk":"x","features":[]},"continues":true}"# + "\0",
        ])
    func garbage(_ reply: String) async throws {
        let result = try await run { socket in
            while HostileTransport.read(socket) != nil { HostileTransport.write(reply, socket) }
        }
        #expect(result.outcome == .failed)
        #expect(got(result).contains("breaks the protocol") || got(result).contains("no answer"), "\(got(result))")
    }

    @Test("endless bytes are given up, not collected")
    func flood() async throws {
        let result = try await run { socket in
            let piece = String(repeating: "x", count: 1 << 16)
            while HostileTransport.write(piece, socket) {}
        }
        #expect(result.outcome == .failed)
        #expect(got(result).contains("breaks the protocol"), "\(got(result))")
    }

    @Test("a provider that sends a byte at a time is given up after the deadline of the call")
    func drip() async throws {
        let result = try await run { socket in
            while HostileTransport.write(" ", socket) { usleep(20_000) }
        }
        #expect(result.outcome == .failed)
        #expect(got(result).contains("no answer"), "\(got(result))")
    }

    @Test("hostile texts in an error are shown escaped and cut")
    func errorTexts() async throws {
        let message = String(repeating: #"\u001b[2J"#, count: 5_000)
        let result = try await run { socket in
            while HostileTransport.read(socket) != nil {
                HostileTransport.write(
                    #"{"error":"org.docent.FileProvider.Failed","parameters":{"message":"\#(message)"}}"# + "\0", socket
                )
            }
        }
        let text = try #require(result.findings.first).got
        #expect(text.contains("\\u{1B}[2J"))
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(text.utf8.count < 20_000)
    }

    @Test("a case that does not end is timed out with its last step, and the run continues")
    func limit() async throws {
        let result = try await run("lifecycle.initialize", limit: 2, callDeadline: 60) { socket in
            guard HostileTransport.read(socket) != nil else { return }
            // Longer than the limit of the case, and shorter than the call's deadline with progress would be.
            while HostileTransport.write(" ", socket) { usleep(20_000) }
        }
        #expect(result.outcome == .timedOut)
        #expect(result.lastStep == "Starting the provider")
        #expect(result.reason == "it did not end within 2 s")
    }

    @Test("after three cases in which the provider does not start the run ends with one message")
    func hopeless() async throws {
        var options = ValidationOptions()
        options.callDeadline = 0.5
        let subject = ProviderSubject(identifier: "org.example.Hostile", displayName: "Hostile")
        let runner = ValidationRunner(options, .here(subject, HostileTransport { _ in }))
        let cases = try ValidationCase.selected(level: 3, filter: "^listing")
        try #require(cases.count > 3)
        let report = await runner.run(cases, provider: "org.example.Hostile", transport: "hostile")
        #expect(report.results.count == 3)
        #expect(!report.isPassed)
        let message = try #require(report.interruption)
        #expect(message.hasPrefix("The provider does not start"))
        #expect(message.contains("hung up"))
    }

    @Test("one case that fails does not end the run")
    func goesOn() async throws {
        let runner = ValidationRunner(
            ValidationOptions(),
            .here(
                ProviderSubject(
                    identifier: "org.example.Shelf", principalClass: String(reflecting: ForgetfulShelf.self),
                    displayName: "Shelf"), WireTransport.inProcess))
        let cases = try ValidationCase.selected(level: 1)
        var seen = 0
        let report = await runner.run(cases, provider: "org.example.Shelf", transport: "in process") { _, result in
            if result != nil { seen += 1 }
        }
        #expect(report.results.count == cases.count)
        #expect(seen == cases.count)
        #expect(report.count(.failed) > 0)
        #expect(report.count(.passed) > 0)
        #expect(report.repeating.keys.sorted() == report.results.filter(\.isFailure).map(\.name).sorted())
    }
}
