import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostTesting
import Rights
import Storage
import Testing

@testable import Saving

/// Saving a document, from its staged file to the client's answer (W).
@Suite(.mayBlock) struct WriteServiceTests {
    @Test("W: a commit replaces the content at the provider, and the answer describes the new version")
    func commits() async throws {
        try await TestHost.with { host in
            let store = host.store(.inPlace)
            let key = TestProviderKind.inPlace.key(store.add("a.txt", "old"))
            try await host.grant(key)
            let session = host.session()
            let (file, base) = try await host.services.writes.begin(session, key, replacing: true, operation: "save")
            #expect(base == "v1")
            try file.fill("new")
            #expect(store.text(key.identifier) == "old", "nothing is published before the commit")
            let item = try await host.services.writes.commit(session, "save")
            #expect(store.text(key.identifier) == "new")
            #expect(item.version == "v2" && item.size == 3 && item.name == "a.txt")
            #expect(try await host.services.writes.outcome(session, "save").state == "finished")
            #expect(host.files(in: "Staging").isEmpty)
        }
    }
}
