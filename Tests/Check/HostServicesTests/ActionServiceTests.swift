import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostServices
import HostTesting
import Testing

/// Actions of providers, with providers in memory.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ActionServiceTests {
    private func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test(
        "an action reaches the provider with its arguments, and its rows come back",
        arguments: [
            TestProviderKind.inPlace, .remote,
        ])
    func performs(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let rows = try await host.services.actions.perform(
                "echo", provider: kind.identifier, domain: "", arguments: ["a": "1", "b": "ä"])
            #expect(rows == [["a": "1", "b": "ä"], ["action": "echo"]])
            #expect(host.store(kind).calls(.perform).map(\.subject) == ["echo"])
        }
    }

    @Test("what a provider does not have, and what cannot be an action, is refused")
    func refusals() async throws {
        try await TestHost.with { host in
            let actions = host.services.actions
            let remote = TestProviderKind.remote.identifier
            await refuses(.notSupported) {
                _ = try await actions.perform("other", provider: remote, domain: "", arguments: [:])
            }
            await refuses(.notSupported) {
                _ = try await actions.perform(
                    "echo", provider: TestProviderKind.readOnly.identifier, domain: "", arguments: [:])
            }
            await refuses(.invalidArgument) {
                _ = try await actions.perform("", provider: remote, domain: "", arguments: [:])
            }
            await refuses(.invalidArgument) {
                _ = try await actions.perform(
                    "echo", provider: remote, domain: "", arguments: ["a": String(repeating: "a", count: 70_000)])
            }
            await refuses(.notFound) {
                _ = try await actions.perform("echo", provider: remote, domain: "nobody", arguments: [:])
            }
            #expect(host.store(.remote).calls(.perform).isEmpty)
        }
    }
}
