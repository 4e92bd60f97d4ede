import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Synchronization
import Testing

@testable import Saving

/// Saving a document, from its staged file to the client's answer (W).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct WriteServiceTests {
    /// A document that the writer may change.
    static func document(_ host: TestHost, _ kind: TestProviderKind = .inPlace) async throws -> ItemKey {
        let key = kind.key(host.store(kind).add("a.txt", "old"))
        try await host.grant(key)
        return key
    }

    @Test("W: a commit replaces the content at the provider, and the answer describes the new version")
    func commits() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let client = host.client()
            let (file, base, _) = try await host.services.writes.begin(
                client.session, key, replacing: true, operation: "save")
            #expect(base == "v1" && file.text.isEmpty)
            try file.fill("new")
            #expect(host.store(.inPlace).text(key.identifier) == "old", "nothing is published before the commit")
            let item = try await client.commit("save")
            #expect(host.store(.inPlace).text(key.identifier) == "new")
            #expect(item.version == "v2" && item.size == 3 && item.name == "a.txt")
            #expect(try await client.state("save") == "finished")
            #expect(try await client.read(key) == "new")
            #expect(host.files(in: "Staging").isEmpty && host.files(in: "Uploads").isEmpty)
        }
    }

    @Test("W: a session that does not replace begins with the present content")
    func beginsWithContent() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let file = try await host.services.writes.begin(
                host.session(), key, replacing: false, operation: "save"
            ).file
            #expect(file.text == "old")
        }
    }

    @Test("W: a change of an earlier version begins empty, and is sent as one of that version")
    func beginsFromEarlierVersion() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let client = host.client()
            let present = try await host.services.writes.begin(
                client.session, key, replacing: false, base: "v1", operation: "present")
            #expect(present.file.text == "old" && present.baseVersion == "v1" && !present.isOutdated)
            try await client.begin(key, "theirs", operation: "other")
            try await client.commit("other")
            let outdated = try await host.services.writes.begin(
                client.session, key, replacing: false, base: "v1", operation: "outdated")
            #expect(outdated.file.text.isEmpty && outdated.baseVersion == "v1" && outdated.isOutdated)
            for base in ["", String(repeating: "v", count: 1025)] {
                await #expect(throws: Failure.self) {
                    _ = try await host.services.writes.begin(
                        client.session, key, replacing: false, base: base, operation: "invalid")
                }
            }
        }
    }

    @Test("W0: the change is in the journal, with its content, before the provider is called, and finished after it")
    func recordsFirst() async throws {
        let steps = Mutex<[WriteStep]>([])
        try await TestHost.with(crash: { step in steps.withLock { $0.append(step) } }) { host in
            let key = try await Self.document(host)
            let before = Mutex<(state: JournaledOperation.State?, files: Int)>((nil, 0))
            host.store(.inPlace).before(.modify) { call in
                let row = try await host.services.journal.operation(try #require(call.operation))
                let files = host.files(in: "Uploads").count
                steps.withLock { $0.append(.renamed) }
                before.withLock { $0 = (row?.state, files) }
            }
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.commit("save")
            #expect(before.withLock { $0.state } == .staged)
            #expect(before.withLock { $0.files } == 1, "the content is durable before the provider sees it")
            #expect(
                steps.withLock { $0 } == [
                    .opened, .frozen, .durable, .linked, .committed, .renamed, .published, .recorded, .uploadRecorded,
                    .uploaded,
                ])
        }
    }

    @Test("W: a new document appears in its folder with the commit, and not before")
    func creates() async throws {
        try await TestHost.with { host in
            try await host.grant(TestProviderKind.inPlace.root)
            let client = host.client()
            try await client.begin(new: "b.txt", in: TestProviderKind.inPlace.root, "text", operation: "make")
            #expect(host.store(.inPlace).contents().isEmpty)
            let item = try await client.commit("make")
            #expect(item.name == "b.txt" && item.size == 4)
            #expect(host.store(.inPlace).contents() == ["b.txt": "text"])
            #expect(try await client.read(item.reference.key) == "text")
        }
    }

    @Test("W: a repeated commit is answered again without a call to the provider")
    func repeats() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            try await host.grant(TestProviderKind.inPlace.root)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.begin(new: "b.txt", in: TestProviderKind.inPlace.root, "text", operation: "make")
            for operation in ["save", "make"] {
                let first = try await client.commit(operation)
                #expect(try await client.commit(operation).reference == first.reference)
            }
            #expect(host.store(.inPlace).calls(.modify).count == 1 && host.store(.inPlace).calls(.create).count == 1)
        }
    }

    @Test("W: a repeated begin, after a lost answer, returns the same file")
    func beginsAgain() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let client = host.client()
            try await client.begin(key, "half", operation: "save")
            let again = try await host.services.writes.begin(
                client.session, key, replacing: true, operation: "save"
            ).file
            #expect(again.text == "half")
        }
    }

    @Test("D16: a save on an old version keeps another program's content, and wins")
    func keepsConflict() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let client = host.client()
            try await client.begin(key, "mine", operation: "save")
            host.store(.inPlace).edit(key.identifier, "theirs")
            #expect(try await client.commit("save").version == "v3")
            #expect(host.store(.inPlace).contents() == ["a.txt": "mine", "a.txt (conflict)": "theirs"])
        }
    }

    @Test("T3: an operation of another client is unknown to this one")
    func keepsClientsApart() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            try await host.grant(key, to: viewer)
            let (client, other) = (host.client(), host.client(viewer))
            try await client.begin(key, "new", operation: "save")
            let failure = await #expect(throws: Failure.self) { try await other.commit("save") }
            #expect(failure?.code == .notFound)
            #expect(try await other.state("save") == "unknown")
            try await client.commit("save")
        }
    }
}
