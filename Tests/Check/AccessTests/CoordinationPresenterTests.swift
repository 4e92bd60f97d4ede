import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostServices
import HostTesting
import Rights
import Testing

@testable import Access

/// Presenters of clients: their questions and events; none of them blocks others (SEMANTICS 2.4).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct CoordinationPresenterTests {
    private static func document(_ host: TestHost) async throws -> ItemKey {
        try await CoordinationServiceTests.document(host)
    }

    @Test("2.4: a reader waits until the presenter has saved; then both get the messages that follow")
    func asks() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            #expect(await view.next()?.item?.name == "a.txt")
            let reading = Task { try await Claimant(host).claim(key, writing: false, operation: "read") }
            let first = await view.asked()
            #expect(first?.kind == "relinquishToReader" && first?.cause?.client == writer.identifier)
            #expect(first?.deadline == 20)
            try view.answer(first)
            let second = await view.asked()
            #expect(second?.kind == "saveChanges")
            #expect(host.services.coordination.ledger().claims.first?.state == "asking")
            try view.answer(second)
            let held = try await reading.value
            held.release()
            #expect(await view.next()?.kind == "reacquire")
            view.end()
        }
    }

    @Test("2.4: a presenter that cannot save fails the claim with its reason, and gets the document back")
    func savesNot() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            _ = await view.next()
            let reading = Task { try await Claimant(host).claim(key, writing: false, operation: "read") }
            try view.answer(await view.asked())
            try view.answer(await view.asked(), error: "The disk is full.")
            let failure = await #expect(throws: Failure.self) { _ = try await reading.value }
            #expect(failure?.message.contains("The disk is full.") == true, "\(String(describing: failure))")
            #expect(await view.next()?.kind == "reacquire")
            view.end()
        }
    }

    @Test(
        "Law 5: a presenter that does not answer in time is skipped by a reader, and fails a writer's claim",
        arguments: [false, true])
    func silent(writing: Bool) async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            _ = await view.next()
            let claim = Task { try await Claimant(host).claim(key, writing: writing, operation: "claim") }
            let message = await view.asked()
            try await TransferSupport.eventually {
                host.clock.sleepers.contains { $0.remaining == .seconds(20) }
            }
            host.clock.advance(by: .seconds(20))
            if writing {
                let failure = await #expect(throws: Failure.self) { _ = try await claim.value }
                #expect(failure?.code == .deadlineExceeded, "\(String(describing: failure))")
            } else {
                try await claim.value.release()
            }
            let late = #expect(throws: Failure.self) { try view.answer(message) }
            #expect(late?.code == .notFound, "the answer comes too late")
            view.end()
        }
    }

    @Test("Law 5: a silent presenter does not lose another client's save")
    func silentToSave() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            _ = await view.next()
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let commit = Task { try await client.commit("save") }
            #expect(await view.asked()?.kind == "relinquishToWriter")
            #expect(host.store(.inPlace).calls(.modify).isEmpty, "nothing is written before the answer")
            try await TransferSupport.eventually {
                host.clock.sleepers.contains { $0.remaining == .seconds(20) }
            }
            host.clock.advance(by: .seconds(20))
            _ = try await commit.value
            #expect(host.store(.inPlace).text(key.identifier) == "new")
            view.end()
        }
    }

    @Test(
        "J1: a save is reported to the document's presenters with version and cause, but not to those of its own client"
    )
    func toldOfChange() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            _ = await view.next()
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            let commit = Task { try await client.commit("save") }
            // A write without a claim asks first, too.
            let question = await view.next()
            #expect(question?.kind == "relinquishToWriter")
            try view.answer(question)
            _ = try await commit.value
            let change = await view.next()
            #expect(change?.kind == "didChange" && change?.version == "v2")
            #expect(change?.cause?.client == writer.identifier)
            #expect(await view.next()?.kind == "reacquire")
            view.end()
        }
    }

    @Test("J1: a presenter that has read an older version is notified at once")
    func readBefore() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            host.store(.inPlace).edit(key.identifier, "theirs")
            let view = Claimant(host, viewer).present(key, version: "v1")
            #expect(await view.next()?.kind == "registered")
            let change = await view.next()
            #expect(change?.kind == "didChange" && change?.version == "v2" && change?.uncoordinated == true)
            view.end()
        }
    }

    @Test("Complaint 11: a change that came before the provider began to watch is reported once it does")
    func changedBeforeWatch() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let watch = host.store(.inPlace).hold(.observe)
            let view = Claimant(host, viewer).present(key)
            #expect(await view.next()?.kind == "registered")
            await watch.reached()
            host.store(.inPlace).edit(key.identifier, "theirs")
            watch.open()
            let change = await view.next()
            #expect(change?.kind == "didChange" && change?.version == "v2" && change?.uncoordinated == true)
            view.end()
        }
    }

    @Test("Complaint 11: the same of a document in a presented folder")
    func changedInFolderBeforeWatch() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let folder = TestProviderKind.inPlace.key(".root")
            try await host.grant(folder, .read, to: viewer)
            let watch = host.store(.inPlace).hold(.observe)
            let view = Claimant(host, viewer).present(folder)
            #expect(await view.next()?.kind == "registered")
            await watch.reached()
            // Its listing follows the first message.
            try await TransferSupport.eventually {
                host.services.coordination.withTable { $0.told[key.coordinated] != nil }
            }
            host.store(.inPlace).edit(key.identifier, "theirs")
            watch.open()
            let change = await view.next()
            #expect(
                change?.kind == "subitemDidChange" && change?.subject?.identifier == key.identifier,
                "\(String(describing: change))")
            view.end()
        }
    }

    @Test("Law 5: a provider that does not answer delays no watching of another one")
    func frozenProvider() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let frozen = TestProviderKind.readOnly.key(host.store(.readOnly).add("b.txt", "old"))
            try await host.grant(frozen, .read, to: viewer)
            let watch = host.store(.readOnly).hold(.observe)
            let stuck = Claimant(host, viewer).present(frozen)
            await watch.reached()
            let view = Claimant(host, viewer).present(key)
            try await TransferSupport.eventually { host.store(.inPlace).calls(.observe).count == 1 }
            watch.open()
            stuck.end()
            view.end()
        }
    }

    @Test("G7: a presenter needs a right")
    func needsRight() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "old"))
            let view = Claimant(host, viewer).present(key)
            #expect(await view.next() == nil)
            #expect(await view.failure?.code == .notPermitted)
            #expect(!host.services.coordination.isBusy)
        }
    }

    @Test("I3: a presenter ends with its right; the others still get events")
    func revoked() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let staying = Principal(kind: .run, identifier: "staying")
            try await host.grant(key, .read, to: staying)
            let (ending, other) = (Claimant(host, viewer).present(key), Claimant(host, staying).present(key))
            _ = await ending.next()
            _ = await other.next()
            #expect(try await host.services.grants.revoke(GrantFilter(principal: viewer)).revoked == 1)
            #expect(await ending.next() == nil, "and nothing before its end")
            #expect(await ending.failure?.code == .cancelled)
            let client = host.client()
            try await client.begin(key, "news", operation: "save")
            let commit = Task { try await client.commit("save") }
            try other.answer(await other.asked())
            _ = try await commit.value
            #expect(await other.next()?.kind == "didChange")
            other.end()
        }
    }

    @Test("2.4: a presenter that ends while it is asked blocks no claim")
    func endsWhileAsked() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let view = Claimant(host, viewer).present(key)
            _ = await view.next()
            let reading = Task { try await Claimant(host).claim(key, writing: false, operation: "read") }
            _ = await view.asked()
            view.end()
            try await reading.value.release()
        }
    }
}
