import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostServices
import HostTesting
import RemoteDocuments
import Rights
import Testing

/// `Usage`, for clients.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct AccountSpaceServiceTests {
    @Test("the space of an account is what its provider says", arguments: [TestProviderKind.remote, .inPlace])
    func space(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            try await host.grant(key)
            host.store(kind).usage = StorageUsage(totalBytes: 100, usedBytes: 40)
            let space = try await host.services.documents.space(host.session(), key)
            #expect(space == AccountSpace(total: 100, used: 40, available: 60))
            // It is known now, without the provider.
            host.store(kind).usage = StorageUsage(totalBytes: 1)
            #expect(try await host.services.documents.space(host.session(), key) == space)
        }
    }

    @Test("only who may read something of an account learns its space")
    func right() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", "text"))
            for client in [key, TestProviderKind.remote.root] {
                let failure = await #expect(throws: Failure.self) {
                    try await host.services.documents.space(host.session(), client)
                }
                #expect(failure?.code == .notPermitted)
            }
        }
    }

    @Test("a provider without the feature is not asked")
    func notSupported() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.readOnly.key(host.store(.readOnly).add("a.txt", "text"))
            try await host.grant(key)
            let failure = await #expect(throws: Failure.self) {
                try await host.services.documents.space(host.session(), key)
            }
            #expect(failure?.code == .notSupported)
        }
    }
}
