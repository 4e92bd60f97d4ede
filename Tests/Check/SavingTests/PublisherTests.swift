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

/// Publishing a committed change in place: the possible answers of a provider, and their effect on the change.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PublisherTests {
    private static func row(_ host: TestHost, _ operation: String) async throws -> JournaledOperation {
        try #require(try await host.services.journal.outcome(operation, writer))
    }

    @Test(
        "W: a permanent refusal is returned to the client, and the content is kept for the user",
        arguments: [
            (FileProviderError.Code.notPermitted, FailureCode.notPermitted), (.insufficientQuota, .noSpace),
            (.noSuchItem, .notFound), (.invalidArgument, .invalidArgument), (.failed, .providerFailed),
            (.versionOutOfDate, .conflict),
        ])
    func refusals(code: FileProviderError.Code, answer: FailureCode) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            host.store(.inPlace).fail(.modify, code)
            let failure = await #expect(throws: Failure.self) { try await client.commit("save") }
            #expect(failure?.code == answer && failure?.provider == TestProviderKind.inPlace.identifier)
            #expect(try await client.state("save") == "failed")
            #expect(try await host.services.journal.failures().map(\.operation) == ["save"])
            #expect(host.files(in: "Uploads").count == 1, "the only copy of the change")
            #expect(try await client.read(key) == "old")
            #expect(host.services.pending.count == 0)
            // It is final: nothing sends it later.
            await host.services.publisher.rollForward()
            #expect(host.store(.inPlace).calls(.modify).count == 1)
        }
    }

    @Test(
        "Law 6: a provider that cannot accept a change now causes no error; the change is read here, and is sent later",
        arguments: [FileProviderError.Code.serverUnreachable, .busy, .notAuthenticated])
    func waits(code: FileProviderError.Code) async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            host.store(.inPlace).fail(.modify, code, times: 3)
            let item = try await host.clock.letting(["Publisher"]) { try await client.commit("save") }
            // A temporary failure is retried before the client is answered.
            #expect(host.store(.inPlace).calls(.modify).count == (code == .notAuthenticated ? 1 : 3))
            #expect(!item.isUploaded && item.size == 3)
            #expect(try await client.read(key) == "new")
            #expect(try await client.state("save") == "committed")
            #expect(host.store(.inPlace).text(key.identifier) == "old")
            host.store(.inPlace).clearRules()
            await host.services.publisher.rollForward()
            #expect(host.store(.inPlace).text(key.identifier) == "new")
            #expect(try await client.state("save") == "finished")
            #expect(host.services.pending.count == 0)
            #expect(host.files(in: "Uploads").isEmpty)
        }
    }

    @Test("Law 3: a provider that dies during a save is restarted, and gets the change again")
    func providerDies() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let gate = host.store(.inPlace).hold(.modify)
            let commit = Task { try await client.commit("save") }
            await gate.reached()
            host.kill(.inPlace)
            let item = try await host.clock.letting(["Publisher", "ExtensionSupervisor"]) { try await commit.value }
            #expect(item.version == "v2")
            #expect(host.store(.inPlace).text(key.identifier) == "new")
            #expect(host.store(.inPlace).calls(.modify).map(\.operation).count == 2)
            #expect(Set(host.store(.inPlace).calls(.modify).map(\.operation)).count == 1, "as the same operation")
            #expect(host.extensions.starts(of: TestProviderKind.inPlace.identifier) == 2)
        }
    }

    @Test("Law 5: if a provider reports nothing until its deadline, the change waits and the client is answered")
    func providerHangs() async throws {
        try await TestHost.with(environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "30"]) { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let gate = host.store(.inPlace).hold(.modify)
            let commit = Task { try await client.commit("save") }
            await gate.reached()
            #expect(await host.clock.pass("ProgressWatch") == .seconds(30))
            #expect(try await commit.value.isUploaded == false)
            #expect(try await client.read(key) == "new")
            await host.services.publisher.rollForward()
            #expect(host.store(.inPlace).text(key.identifier) == "new")
        }
    }

    @Test("W: a creation that the provider refuses is withdrawn, since its client still has the content")
    func withdrawsCreation() async throws {
        try await TestHost.with { host in
            let root = TestProviderKind.inPlace.root
            try await host.grant(root)
            let client = host.client()
            try await client.begin(new: "b.txt", in: root, "text", operation: "make")
            host.store(.inPlace).fail(.create, .insufficientQuota)
            let failure = await #expect(throws: Failure.self) { try await client.commit("make") }
            #expect(failure?.code == .noSpace)
            #expect(try await client.state("make") == "failed")
            #expect(try await host.services.journal.failures().isEmpty)
            #expect(host.files(in: "Uploads").isEmpty)
        }
    }

    @Test("W: a change committed before a restart is published after it, once")
    func rollsForward() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            host.store(.inPlace).fail(.modify, .notAuthenticated)
            try await client.commit("save")
            try await host.restarted { next async throws in
                try await TransferSupport.eventually { try await next.client().state("save") == "finished" }
                #expect(next.store(.inPlace).text(key.identifier) == "new")
                await next.services.publisher.rollForward(isAfterRestart: true)
                #expect(next.store(.inPlace).calls(.modify).count == 2, "one refused, one done")
            }
        }
    }

    @Test(
        "W0: content saved by another program after the commit point is kept beside the content that is rolled forward")
    func rollsForwardOverConflict() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            host.store(.inPlace).fail(.modify, .notAuthenticated)
            try await client.commit("save")
            host.store(.inPlace).edit(key.identifier, "theirs")
            try await host.restarted { next async throws in
                try await TransferSupport.eventually { try await next.client().state("save") == "finished" }
                #expect(next.store(.inPlace).text(key.identifier) == "new")
                #expect(next.store(.inPlace).contents() == ["a.txt": "new", "a.txt (conflict)": "theirs"])
            }
        }
    }

    @Test("W: a committed creation whose name was taken replaces nothing, and its content is kept")
    func nameTaken() async throws {
        try await TestHost.with { host in
            let (journal, staged) = (host.services.journal, host.services.staged)
            // As after a kill -9 between the commit and the call of the provider.
            let row = try await journal.begin(
                OperationRequest(
                    create: "b.txt", in: TestProviderKind.inPlace.root, operation: "make", principal: writer))
            let writing = try await staged.begin(row, from: nil, expected: 0)
            try writing.makeClientDescriptor().fill("ours")
            let frozen = try await staged.freeze(writing)
            host.store(.inPlace).add("b.txt", "theirs")
            try await journal.staged(
                row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: nil)
            try await host.restarted { next async throws in
                try await TransferSupport.eventually { try await next.client().state("make") == "failed" }
                #expect(next.store(.inPlace).contents() == ["b.txt": "theirs"])
                #expect(next.files(in: "Uploads") == [row.id])
                #expect(try next.services.staged.open(row.id).text == "ours")
            }
        }
    }

    @Test("W: content that was damaged while no daemon ran is not published")
    func refusesDamage() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            host.store(.inPlace).fail(.modify, .notAuthenticated)
            try await client.commit("save")
            try host.damage(try #require(host.files(in: "Uploads").first), in: "Uploads")
            try await host.restarted { next async throws in
                try await TransferSupport.eventually { try await next.client().state("save") == "failed" }
                #expect(next.store(.inPlace).contents() == ["a.txt": "old"])
                #expect(next.store(.inPlace).calls(.modify).count == 1)
            }
        }
    }

    @Test("W: a provider that dies after the change and before its answer makes the change once")
    func answerLost() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let gate = host.store(.inPlace).hold(.modify, when: .done)
            let commit = Task { try await client.commit("save") }
            await gate.reached()
            host.kill(.inPlace)
            let item = try await host.clock.letting(["Publisher", "ExtensionSupervisor"]) { try await commit.value }
            #expect(item.version == "v2")
            #expect(host.store(.inPlace).contents() == ["a.txt": "new"], "no conflict with itself")
        }
    }
}
