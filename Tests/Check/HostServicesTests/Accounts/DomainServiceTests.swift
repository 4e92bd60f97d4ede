import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import HostTesting
import Rights
import Testing

@testable import HostServices

/// Adding an account without a credential: what is found out about its service, and what is said if it is not asked.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct DomainServiceTests {
    private static let provider = TestProviderKind.remote.identifier

    private static func add(
        _ host: TestHost, _ name: String, isUnchecked: Bool = false
    ) async throws -> AdministrationInterface.AddDomain.Reply {
        let domain = Wire.Domain(
            provider: provider, identifier: name, displayName: name, settings: ["url": "https://example.org/"])
        return try await host.services.domains.add(domain, credential: nil, isUnchecked: isUnchecked)
    }

    @Test("an account is added if its service answers, and what is in its top folder is said")
    func answers() async throws {
        try await TestHost.with { host async throws in
            host.store(.remote).add("a.txt", "content")
            let reply = try await Self.add(host, "work")
            #expect(reply.found?.contains("1 item in its top folder") == true, "\(reply)")
            #expect(reply.notAsked == nil && reply.suggestion == nil)
        }
    }

    @Test("an account of a provider that is not enabled is added, and it is said that it was not checked, and why")
    func notEnabled() async throws {
        try await TestHost.with { host async throws in
            _ = try await host.services.registry.disable(Self.provider)
            let reply = try await Self.add(host, "work")
            #expect(reply.found == nil)
            let reason = "its service was not asked: \(Self.provider) is not enabled."
            #expect(reply.notAsked?.hasSuffix(reason) == true, "\(reply)")
            #expect(reply.suggestion == "Enable it: docent provider enable \(Self.provider)")
            #expect(host.store(.remote).calls(.children).isEmpty)
            let added = try await host.services.consents.domains(of: Self.provider)
            #expect(added.map(\.identifier) == ["work"])
        }
    }

    @Test("nothing is said of an account that was to be added unchecked, whether its provider is enabled or not")
    func unchecked() async throws {
        try await TestHost.with { host async throws in
            let enabled = try await Self.add(host, "one", isUnchecked: true)
            _ = try await host.services.registry.disable(Self.provider)
            let disabled = try await Self.add(host, "two", isUnchecked: true)
            #expect(enabled == .init() && disabled == .init())
            #expect(host.store(.remote).calls(.children).isEmpty)
        }
    }
}
