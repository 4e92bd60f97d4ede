import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Testing

@testable import Saving

/// Write sessions that end without a commit: abandoned, cancelled, left by their client or by an earlier daemon.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct WriteServiceEndTests {
    private static func kept(_ host: TestHost, _ key: ItemKey) async throws -> [KeptVersion.Reason] {
        try await host.services.remote.kept.list(of: key, includingSuperseded: false).map(\.reason)
    }

    @Test("W: an abandoned session is dropped, unless its client asks to keep it as a version")
    func abandons() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            for (operation, reason) in [("drop", nil), ("keep", "replaced")] {
                try await client.begin(key, "unsaved", operation: operation)
                try await host.services.writes.abandon(client.session, operation, keep: reason)
                #expect(try await client.state(operation) == "failed")
                let failure = await #expect(throws: Failure.self) { try await client.commit(operation) }
                #expect(failure?.code == .conflict)
            }
            #expect(try await Self.kept(host, key) == [.replaced])
            #expect(host.files(in: "Staging").isEmpty && host.store(.inPlace).calls(.modify).isEmpty)
            try await client.begin(key, "unsaved", operation: "wrong")
            let failure = await #expect(throws: Failure.self) {
                try await host.services.writes.abandon(client.session, "wrong", keep: "sentimental")
            }
            #expect(failure?.code == .invalidArgument)
            #expect(try await client.state("wrong") == "open")
        }
    }

    @Test("W0: content of a client that has disconnected is kept; a session without content leaves nothing")
    func clientGone() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            let client = host.client()
            try await client.begin(key, "unsaved", operation: "save")
            _ = try await host.services.writes.begin(client.session, key, replacing: true, operation: "nothing")
            let owned = client.session.openOperations
            await host.services.writes.sessionEnded(client.session, owned)
            #expect(try await Self.kept(host, key) == [.recovered])
            #expect(try await client.state("save") == "failed")
            #expect(try await client.state("nothing") == "failed")
            #expect(host.files(in: "Staging").isEmpty && host.files(in: "Versions").count == 1)
        }
    }

    @Test("T3: a commit that is cancelled before its claim is granted can be repeated; past its commit point it stands")
    func cancels() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await host.grant(key, to: viewer)
            let (client, other) = (host.client(), host.client(viewer))
            try await other.begin(key, "first", operation: "other")
            let gate = host.store(.inPlace).hold(.modify)
            let first = Task { try await other.commit("other") }
            await gate.reached()
            // The first commit holds the claim, so this one waits for it.
            try await client.begin(key, "second", operation: "save")
            let second = Task { try await client.commit("save") }
            try await TransferSupport.eventually {
                host.services.coordination.ledger().claims.contains { $0.state == "waiting" }
            }
            #expect(host.services.writes.cancel("save", client.session))
            let failure = await #expect(throws: Failure.self) { try await second.value }
            #expect(failure?.code == .cancelled)
            #expect(try await client.state("save") == "open")
            // Past the commit point nothing is undone.
            #expect(host.services.writes.cancel("other", other.session))
            gate.open()
            _ = await first.result
            try await TransferSupport.eventually { try await other.state("other") == "finished" }
            #expect(host.store(.inPlace).text(key.identifier) == "first")
            try await client.commit("save")
            #expect(host.store(.inPlace).text(key.identifier) == "second")
        }
    }

    @Test("D3: after a restart the same client resumes its open session, and commits it")
    func resumes() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await host.client().begin(key, "half", operation: "save")
            try await host.restarted { next async throws in
                let client = next.client()
                #expect(next.services.writes.isAwaitingClients)
                let file = try await next.services.writes.begin(
                    client.session, key, replacing: true, operation: "save"
                ).file
                #expect(file.text == "half")
                try file.fill("whole")
                try await client.commit("save")
                #expect(next.store(.inPlace).contents() == ["a.txt": "whole"])
                #expect(!next.services.writes.isAwaitingClients)
                #expect(try await Self.kept(next, key).isEmpty)
                #expect(next.files(in: "Staging").isEmpty && next.files(in: "Uploads").isEmpty)
            }
        }
    }

    @Test("D3, W0: a session that is not resumed in time is kept as a version; the daemon is busy before")
    func resumesInTime() async throws {
        try await TestHost.with(environment: ["DOCENT_RESUME_SECONDS": "40"]) { host in
            let key = try await WriteServiceTests.document(host)
            try await host.client().begin(key, "half", operation: "save")
            try await host.restarted { next async throws in
                let client = next.client()
                #expect(await next.clock.sleeper("WriteService") == .seconds(40))
                next.clock.advance(by: .seconds(39))
                #expect(try await client.state("save") == "open")
                #expect(await next.services.isBusy())
                next.clock.advance(by: .seconds(1))
                try await TransferSupport.eventually { try await client.state("save") == "failed" }
                #expect(try await Self.kept(next, key) == [.recovered])
                #expect(!next.services.writes.isAwaitingClients)
                #expect(await !next.services.isBusy())
                let failure = await #expect(throws: Failure.self) { try await client.commit("save") }
                #expect(failure?.code == .conflict)
                #expect(next.store(.inPlace).text(key.identifier) == "old")
                #expect(next.files(in: "Staging").isEmpty && next.files(in: "Uploads").isEmpty)
                #expect(next.files(in: "Versions").count == 1)
            }
        }
    }

    @Test("D3, I3: after a restart a commit is refused if the right was revoked, and to every other client")
    func refusesAfterRestart() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            try await host.grant(key, to: viewer)
            try await host.client().begin(key, "new", operation: "save")
            try await host.restarted { next async throws in
                let other = await #expect(throws: Failure.self) { try await next.client(viewer).commit("save") }
                #expect(other?.code == .notFound)
                let client = next.client()
                let ended = try await next.services.grantStore.revoke(GrantFilter(principal: writer))
                await next.services.writes.rightsEnded(Set(ended.map(\.principal)), in: [client.session])
                let own = await #expect(throws: Failure.self) { try await client.commit("save") }
                #expect(own?.code == .notPermitted)
                #expect(next.store(.inPlace).text(key.identifier) == "old")
                #expect(next.store(.inPlace).calls(.modify).isEmpty)
            }
        }
    }

    @Test("D3: an interrupted start is not client content: the next daemon drops it")
    func incompleteStart() async throws {
        try await TestHost.with { host in
            let key = try await WriteServiceTests.document(host)
            _ = try await host.services.writes.begin(host.session(), key, replacing: false, operation: "save")
            // As after a kill -9 while the initial copy of the session is being made.
            let staged = try #require(host.files(in: "Staging").first)
            let folder = host.root + "/data/Staging/"
            try #require(truncate(folder + staged, 1) == 0)
            try #require(FileManager.default.createFile(atPath: folder + ".filling-" + staged, contents: nil))
            try await host.restarted { next async throws in
                let failure = await #expect(throws: Failure.self) { try await next.client().commit("save") }
                #expect(failure?.code == .conflict)
                #expect(next.files(in: "Staging").isEmpty && next.files(in: "Uploads").isEmpty)
                #expect(try await Self.kept(next, key).isEmpty && next.files(in: "Versions").isEmpty)
                #expect(next.store(.inPlace).text(key.identifier) == "old")
            }
        }
    }

    @Test("D3: without a time to resume, an earlier daemon's session is kept at once")
    func keepsAtOnce() async throws {
        try await TestHost.with(environment: ["DOCENT_RESUME_SECONDS": "0"]) { host in
            let key = try await WriteServiceTests.document(host)
            try await host.client().begin(key, "half", operation: "save")
            try await host.restarted { next async throws in
                #expect(try await Self.kept(next, key) == [.recovered])
                #expect(try await next.client().state("save") == "failed")
            }
        }
    }
}
