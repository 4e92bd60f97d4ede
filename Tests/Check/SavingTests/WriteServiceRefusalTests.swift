import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Synchronization
import Testing

@testable import Saving

/// Refused writes, and what remains of them.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct WriteServiceRefusalTests {
    /// Expects `begin` to be refused, with nothing in the journal and no changing call to the provider.
    private static func refuses(
        _ host: TestHost, _ code: FailureCode, _ kind: TestProviderKind = .inPlace,
        _ begin: (TestClient) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let client = host.client()
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await begin(client) }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
        #expect(try await client.state("save") == "unknown", sourceLocation: sourceLocation)
        #expect(host.files(in: "Staging").isEmpty, sourceLocation: sourceLocation)
        let changes = host.store(kind).calls().filter { [.modify, .create].contains($0.method) }
        #expect(changes.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("G7: without a right to write, nothing begins", arguments: [nil, AccessLevel.read])
    func withoutRight(right: AccessLevel?) async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "old"))
            if let right { try await host.grant(key, right) }
            try await Self.refuses(host, .notPermitted) { try await $0.begin(key, "new", operation: "save") }
            try await Self.refuses(host, .notPermitted) {
                try await $0.begin(new: "b.txt", in: TestProviderKind.inPlace.root, "new", operation: "save")
            }
        }
    }

    @Test("W: a provider that is read-only is written to neither in place nor with a new document")
    func readOnlyProvider() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.readOnly.key(host.store(.readOnly).add("a.txt", "old"))
            try await host.grant(key)
            try await host.grant(TestProviderKind.readOnly.root)
            try await Self.refuses(host, .notSupported, .readOnly) { try await $0.begin(key, "new", operation: "save") }
            try await Self.refuses(host, .notSupported, .readOnly) {
                try await $0.begin(new: "b.txt", in: TestProviderKind.readOnly.root, "new", operation: "save")
            }
        }
    }

    @Test("W: a folder cannot be written, and nothing can be created in a document")
    func wrongKind() async throws {
        try await TestHost.with { host in
            let store = host.store(.inPlace)
            let folder = TestProviderKind.inPlace.key(store.addFolder("F"))
            let document = TestProviderKind.inPlace.key(store.add("a.txt"))
            try await host.grant(folder)
            try await host.grant(document)
            try await Self.refuses(host, .invalidArgument) { try await $0.begin(folder, "new", operation: "save") }
            try await Self.refuses(host, .invalidArgument) {
                try await $0.begin(new: "b.txt", in: document, "new", operation: "save")
            }
        }
    }

    @Test("W: a taken or invalid name is refused at the beginning")
    func names() async throws {
        try await TestHost.with { host in
            host.store(.inPlace).add("a.txt", "old")
            let root = TestProviderKind.inPlace.root
            try await host.grant(root)
            try await Self.refuses(host, .conflict) {
                try await $0.begin(new: "a.txt", in: root, "new", operation: "save")
            }
            for name in ["", ".", "..", "a/b", "a\0b"] {
                try await Self.refuses(host, .invalidArgument) {
                    try await $0.begin(new: name, in: root, "new", operation: "save")
                }
            }
        }
    }

    @Test("W: a name that was taken in the meantime is refused at the commit; nothing is left, and nothing is replaced")
    func nameTakenLater() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.inPlace.root
            try await host.grant(root)
            let client = host.client()
            try await client.begin(new: "a.txt", in: root, "mine", operation: "save")
            host.store(.inPlace).add("a.txt", "theirs")
            let failure = await #expect(throws: Failure.self) { try await client.commit("save") }
            #expect(failure?.code == .conflict)
            #expect(host.store(.inPlace).contents() == ["a.txt": "theirs"])
            #expect(try await client.state("save") == "failed")
            #expect(host.files(in: "Staging").isEmpty && host.files(in: "Uploads").isEmpty)
        }
    }

    @Test("H: a claim that the session does not hold is refused, at the beginning and at the commit")
    func unknownClaim() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await Self.refuses(host, .claimLost) {
                try await $0.begin(key, "new", operation: "save", claim: "none")
            }
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let failure = await #expect(throws: Failure.self) { try await client.commit("save", claim: "none") }
            #expect(failure?.code == .claimLost)
            #expect(try await client.state("save") == "open", "the client may commit again with another claim")
            try await client.commit("save")
            #expect(host.store(.inPlace).text(key.identifier) == "new")
        }
    }

    @Test("W: the name of an operation can be used once")
    func usedName() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.commit("save")
            let failure = await #expect(throws: Failure.self) {
                try await client.begin(key, "newer", operation: "save")
            }
            #expect(failure?.code == .conflict)
            #expect(host.store(.inPlace).text(key.identifier) == "new")
        }
    }

    @Test("I3: if the right ends after the beginning, the commit is refused and the content is kept")
    func revoked() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "unsaved", operation: "save")
            let ended = try await host.services.grantStore.revoke(GrantFilter(principal: writer))
            await host.services.writes.rightsEnded(Set(ended.map(\.principal)), in: [client.session])
            let failure = await #expect(throws: Failure.self) { try await client.commit("save") }
            #expect(failure?.code == .notPermitted)
            #expect(host.store(.inPlace).text(key.identifier) == "old")
            let kept = try await host.services.remote.kept.list(of: key, includingSuperseded: false)
            #expect(kept.map(\.reason) == [.recovered] && kept.first?.size == 7)
            #expect(try await client.state("save") == "failed")
        }
    }

    @Test("I3: a revocation waits for all running operations together, not for one after another")
    func revokedTogether() async throws {
        try await TestHost.with { host in
            let client = host.client()
            // Waiting for a task does not end when the waiting task is cancelled.
            let release = AsyncStream.makeStream(of: Void.self)
            let stuck = Task { for await _ in release.stream {} }
            let cancelled = Names()
            let (writes, session) = (host.services.writes, client.session)
            var running: [Task<Void, any Error>] = []
            for name in ["one", "two"] {
                let key = TestProviderKind.inPlace.key(host.store(.inPlace).add(name + ".txt", "old"))
                try await host.grant(key)
                try await client.begin(key, "unsaved", operation: name)
                running.append(
                    Task {
                        try await writes.cancellable(name, session) {
                            await withTaskCancellationHandler {
                                await stuck.value
                            } onCancel: {
                                cancelled.all.withLock { _ = $0.insert(name) }
                            }
                        }
                    })
            }
            try await TransferSupport.eventually { host.services.operations.count == 2 }
            try await host.services.grantStore.revoke(GrantFilter(principal: writer))
            let before = host.clock.now
            await host.clock.letting(["JointWait"]) {
                await host.services.writes.rightsEnded([writer], in: [client.session])
            }
            #expect(before.duration(to: host.clock.now) == .seconds(5), "as long as for a single one")
            try await TransferSupport.eventually { cancelled.all.withLock { $0 } == ["one", "two"] }
            // What was written is kept as soon as they end.
            #expect(try await host.services.remote.kept.list(includingSuperseded: false).isEmpty)
            release.continuation.finish()
            for task in running { try await task.value }
            try await TransferSupport.eventually {
                try await host.services.remote.kept.list(includingSuperseded: false).count == 2
            }
        }
    }
}

private final class Names: Sendable {
    let all = Mutex<Set<String>>([])
}
