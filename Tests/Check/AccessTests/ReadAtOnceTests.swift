import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Testing

@testable import Access

/// A chosen document whose content comes with the reply, if that takes no waiting.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ReadAtOnceTests {
    private static func read(_ host: TestHost, _ key: ItemKey, by claimant: Claimant) async throws -> String? {
        let item = try await host.services.gateway.item(key)
        return try await host.services.coordination.readAtOnce(claimant.session, item)?.file.text
    }

    @Test("A document that nobody claims or presents is opened, and the claim does not outlast the call")
    func free() async throws {
        try await TestHost.with { host in
            let key = try await CoordinationServiceTests.document(host)
            let reader = Claimant(host, viewer)
            #expect(try await Self.read(host, key, by: reader) == "old")
            #expect(!host.services.coordination.isBusy)
            // Readers do not wait for each other.
            let other = try await Claimant(host).claim(key, writing: false, operation: "read")
            #expect(try await Self.read(host, key, by: reader) == "old")
            other.release()
        }
    }

    @Test("While another program writes it or shows it, the client gets no content and has to wait for a claim")
    func inTheWay() async throws {
        try await TestHost.with { host in
            let key = try await CoordinationServiceTests.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            let writing = try await author.claim(key, writing: true, operation: "write")
            #expect(try await Self.read(host, key, by: reader) == nil)
            writing.release()
            #expect(try await Self.read(host, key, by: reader) == "old")
            let presentation = author.present(key)
            try await TransferSupport.eventually {
                !host.services.coordination.ledger().presenters.isEmpty
            }
            #expect(try await Self.read(host, key, by: reader) == nil)
            presentation.end()
        }
    }

    @Test("Content that is not on this machine is not fetched; after a fetch it comes at once")
    func remote() async throws {
        try await TestHost.with { host in
            let key = try await CoordinationServiceTests.document(host, .remote)
            let reader = Claimant(host, viewer)
            #expect(try await Self.read(host, key, by: reader) == nil)
            #expect(host.store(.remote).calls(.fetch).isEmpty)
            try await reader.claim(key, writing: false, operation: "read").release()
            #expect(try await Self.read(host, key, by: reader) == "old")
            #expect(host.store(.remote).calls(.fetch).count == 1)
        }
    }

    @Test("Without a right to it, nothing is opened")
    func withoutRight() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "old"))
            let failure = await #expect(throws: Failure.self) {
                _ = try await Self.read(host, key, by: Claimant(host, viewer))
            }
            #expect(failure?.code == .notPermitted)
            #expect(host.store(.inPlace).calls(.open).isEmpty && !host.services.coordination.isBusy)
        }
    }
}
