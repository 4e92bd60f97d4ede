import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import Glibc
import HostCore
import HostServices
import HostTesting
import Records
import Rights
import Saving
import Storage
import Synchronization
import Testing
import Transfers

@testable import RemoteDocuments

/// Sending changes to remote documents: the client is answered at once, and no save is lost (N, law 6).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct RemoteUploadsTests {
    static func document(_ host: TestHost) async throws -> ItemKey {
        let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", "old"))
        try await host.grant(key)
        return key
    }

    static func save(
        _ host: TestHost, _ key: ItemKey, _ text: String, operation: String = "save"
    ) async throws -> Wire.Item {
        try await host.client().save(key, text, operation: operation)
    }

    private static func row(_ host: TestHost, _ operation: String = "save") async throws -> JournaledOperation {
        try #require(try await host.services.journal.outcome(operation, writer))
    }

    static func sent(_ host: TestHost, _ operation: String = "save") async throws {
        try await TransferSupport.eventually { try await Self.row(host, operation).state == .finished }
    }

    static func drain(_ host: TestHost) async throws -> TransferService.Remainder {
        try await host.clock.letting(["TransferService"]) { try await host.services.transfers.drain(timeout: nil) }
    }

    static func kept(_ host: TestHost) async throws -> [KeptVersion.Reason] {
        try await host.services.remote.kept.list(includingSuperseded: false).map(\.reason)
    }

    @Test("Law 6: a save is in the journal before the provider is called, and answered before it is sent")
    func sends() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify)
            let saved = try await Self.save(host, key, "new")
            #expect(!saved.isUploaded && saved.size == 3)
            await gate.reached()
            let before = try await Self.row(host)
            #expect(before.state == .published && before.uploaded == nil && host.files(in: "Uploads").count == 1)
            #expect(host.services.remote.states.state(of: key) == .uploading)
            #expect(host.store(.remote).calls(.modify).map(\.operation) == [before.id])
            gate.open()
            try await Self.sent(host)
            #expect(host.store(.remote).text(key.identifier) == "new")
            #expect(try await Self.row(host).uploadedVersion == "v2")
            #expect(try await host.services.gateway.item(key).isUploaded)
            #expect(host.files(in: "Uploads").isEmpty)
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
        }
    }

    @Test("N: when draining has ended, a sent document is like any other: its local copy can be removed")
    func drains() async throws {
        // A thread of Swift's tasks that sleeps for 300 ms is reported.
        try await TestHost.with(crash: { if $0 == .uploadRecorded { usleep(200_000) } }) { host in
            let key = try await Self.document(host)
            _ = try await Self.save(host, key, "new")
            let left = try await Self.drain(host)
            #expect(left.pending == 0 && left.failed == 0)
            #expect(host.services.remote.states.state(of: key) == nil)
            #expect(try await host.services.remote.reading.evictor.evict(key) == 3)
        }
    }

    @Test("N: a save on top of one that is still being sent does not conflict with it")
    func chains() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify)
            _ = try await Self.save(host, key, "first", operation: "first")
            await gate.reached()
            _ = try await Self.save(host, key, "second", operation: "second")
            gate.open()
            try await Self.sent(host, "first")
            try await Self.sent(host, "second")
            #expect(host.store(.remote).text(key.identifier) == "second")
            #expect(try await Self.kept(host).isEmpty)
        }
    }

    @Test("N10: a change that cannot be sent now is retried at growing intervals, and the client reads it meanwhile")
    func retries() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            host.store(.remote).fail(.modify, .busy, times: 3)
            _ = try await Self.save(host, key, "new")
            for seconds in [1.0, 2, 4] {
                let pause = await host.clock.pass("TransferQueue", within: .seconds(10)) / .seconds(1)
                #expect((seconds * 0.8...seconds * 1.2).contains(pause), "\(pause)")
                #expect(try await host.client().read(key) == "new")
            }
            try await Self.sent(host)
            #expect(host.store(.remote).calls(.modify).count == 4)
        }
    }

    @Test("N: a change made elsewhere is never overwritten: it stays, and the local save is kept beside it")
    func conflict() async throws {
        try await TestHost.with(environment: ["DOCENT_FRESH_SECONDS": "0"]) { host in
            let key = try await Self.document(host)
            _ = try await host.client().read(key)
            let client = host.client()
            try await client.begin(key, "mine", operation: "save")
            host.store(.remote).edit(key.identifier, "theirs")
            #expect(try await client.read(key) == "theirs", "a reader meanwhile gets the other change")
            try await client.commit("save")
            try await TransferSupport.eventually { try await Self.kept(host) == [.conflict] }
            #expect(host.store(.remote).text(key.identifier) == "theirs")
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
            #expect(try await client.read(key) == "theirs")
            let version = try #require(
                try await host.services.remote.kept.list(of: key, includingSuperseded: false).first)
            #expect(version.size == 4 && version.name == "a.txt")
            let opened = try await host.services.remoteAdministrator.openVersion(version.id)
            #expect(opened.version.reason == "conflict" && opened.file.text == "mine")
        }
    }

    @Test("N: a save to a document that was deleted elsewhere is kept")
    func deleted() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            _ = try await host.client().read(key)
            let client = host.client()
            try await client.begin(key, "mine", operation: "save")
            host.store(.remote).remove(key.identifier)
            try await client.commit("save")
            try await TransferSupport.eventually { try await Self.kept(host) == [.deleted] }
            try await TransferSupport.eventually { try await host.services.remote.index.item(key) == nil }
        }
    }

    @Test("N: a repeated commit of a document that is gone by then is refused without asking the provider")
    func repeatedAfterDeletion() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.commit("save")
            try await Self.sent(host)
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
            // Without rights, no tombstone takes the place of the identifier.
            try await host.services.grantStore.revoke(GrantFilter())
            host.store(.remote).remove(key.identifier)
            try await host.services.remote.index.remove(key)
            let asked = host.store(.remote).calls(.item)
            let failure = await #expect(throws: Failure.self) { try await client.commit("save") }
            #expect(failure?.code == .notFound && failure?.provider == TestProviderKind.remote.identifier)
            #expect(host.store(.remote).calls(.item) == asked)
        }
    }

    @Test(
        "N: a permanent refusal is shown with its reason, keeps the change locally, and can be retried",
        arguments: [FileProviderError.Code.insufficientQuota, .notPermitted, .failed])
    func refused(code: FileProviderError.Code) async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            host.store(.remote).fail(.modify, code)
            _ = try await Self.save(host, key, "new")
            try await TransferSupport.eventually { try await Self.row(host).state == .failed }
            try await TransferSupport.eventually {
                host.services.remote.states.state(of: key) == .failed("The test says so.")
            }
            #expect(try await host.client().read(key) == "new")
            #expect(host.store(.remote).calls(.modify).count == 1)
            try await TransferSupport.eventually {
                try await host.services.transfers.transfers(provider: nil).map(\.state) == ["failed"]
            }
            #expect(try await host.services.transfers.retry(identifier: nil, provider: nil, domain: nil) == 1)
            try await Self.sent(host)
            #expect(host.store(.remote).text(key.identifier) == "new")
        }
    }

    @Test("N: a new document exists at once; its identifier changes when the provider has it, and its rights follow")
    func creates() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            _ = try await host.services.gateway.children(of: root, page: nil)
            let gate = host.store(.remote).hold(.create)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "text", operation: "make")
            let made = try await client.commit("make")
            let provisional = made.reference.key
            try await host.grant(provisional)
            #expect(RemotePublisher.isProvisional(provisional.identifier))
            #expect(try await client.read(provisional) == "text")
            gate.open()
            try await Self.sent(host, "make")
            let key = try await host.services.gateway.currentKey(provisional)
            #expect(!RemotePublisher.isProvisional(key.identifier))
            #expect(host.store(.remote).contents() == ["b.txt": "text"])
            #expect(host.services.access.check(writer, key, .readWrite))
            #expect(
                host.services.access.check(writer, provisional, .readWrite), "the old identifier stays valid")
            #expect(try await client.read(key) == "text")
            #expect(host.store(.remote).calls(.fetch).isEmpty)
        }
    }

    @Test("N: a new document whose name has been taken is shown as failed, stays readable here, and can be retried")
    func nameTaken() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.remote.root
            try await host.grant(root)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "mine", operation: "make")
            let other = host.store(.remote).add("b.txt", "theirs")
            let made = try await client.commit("make")
            try await TransferSupport.eventually { try await Self.row(host, "make").state == .failed }
            #expect(try await client.read(made.reference.key) == "mine")
            #expect(host.store(.remote).contents() == ["b.txt": "theirs"])
            let left = try await Self.drain(host)
            #expect(left.pending == 0 && left.failed == 1)
            let transfers = try await host.services.transfers.transfers(provider: nil)
            #expect(transfers.map(\.state) == ["failed"] && transfers.map(\.name) == ["b.txt"])
            // The name is free again: the waiting change can be sent.
            host.store(.remote).remove(other)
            #expect(try await host.services.transfers.retry(identifier: nil, provider: nil, domain: nil) == 1)
            try await Self.sent(host, "make")
            #expect(host.store(.remote).contents() == ["b.txt": "mine"])
            let (items, _) = try await host.services.gateway.children(of: root, page: nil)
            #expect(items.map(\.name) == ["b.txt"])
            #expect(try await client.read(try await host.services.gateway.currentKey(made.reference.key)) == "mine")
        }
    }

    @Test("Law 3: a provider that dies during an upload gets the same operation again, and applies it once")
    func providerDies() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify, when: .done)
            _ = try await Self.save(host, key, "new")
            await gate.reached()
            host.kill(.remote)
            try await host.clock.letting(["TransferQueue", "ExtensionSupervisor"]) { try await Self.sent(host) }
            #expect(Set(host.store(.remote).calls(.modify).map(\.operation)).count == 1)
            #expect(host.store(.remote).version(key.identifier) == "v2", "it was created once")
            #expect(try await Self.kept(host).isEmpty)
        }
    }

    @Test("Law 5: an upload that makes no progress until the deadline is retried later")
    func hangs() async throws {
        try await TestHost.with(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "30"]) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify)
            _ = try await Self.save(host, key, "new")
            await gate.reached()
            #expect(await host.clock.pass("ProgressWatch") == .seconds(30))
            await host.clock.pass("TransferQueue", within: .seconds(10))
            try await Self.sent(host)
            #expect(host.store(.remote).calls(.modify).count == 2)
            #expect(host.store(.remote).text(key.identifier) == "new")
        }
    }
    @Test("Law 6: a local error is not an answer of the service: the change is sent again")
    func trouble() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify)
            _ = try await Self.save(host, key, "first", operation: "first")
            await gate.reached()
            _ = try await Self.save(host, key, "second", operation: "second")
            let file = host.root + "/data/Uploads/" + (try await Self.row(host, "second").id)
            #expect(rename(file, file + "-away") == 0)
            gate.open()
            try await Self.sent(host, "first")
            await host.clock.sleeper("TransferQueue", within: .seconds(10))
            #expect(rename(file + "-away", file) == 0)
            await host.clock.pass("TransferQueue", within: .seconds(10))
            try await Self.sent(host, "second")
            #expect(host.store(.remote).text(key.identifier) == "second")
            #expect(try await Self.kept(host).isEmpty)
        }
    }
}
