import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import Records
import Rights
import Testing

@testable import HostServices

/// Rights that end by themselves: at their time, or some time after their client (G7).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct RightsKeeperTests {
    @Test("G7: a right that expires allows nothing more, and the content of open files is kept")
    func expires() async throws {
        try await TestHost.with { host in
            let key = GrantServiceTests.document(host)
            try await host.services.grantStore.record(
                writer, key, GrantServiceTests.offer(persists: true, expires: 3600))
            let client = host.client()
            try await client.begin(key, "unsaved", operation: "save")
            let keeper = Task { await host.services.rights.run() }
            defer { keeper.cancel() }
            await host.clock.sleeper("RightsKeeper")
            host.clock.advance(by: .seconds(3590))
            #expect(host.services.access.check(writer, key, .readWrite))
            host.clock.advance(by: .seconds(60))
            #expect(!host.services.access.check(writer, key, .read))
            #expect(try await host.services.grants.granted(client.session, page: nil).items.isEmpty)
            // The keeper checks only every few rounds.
            for _ in 0..<6 { await host.clock.pass("RightsKeeper") }
            try await TransferSupport.eventually { try await client.state("save") == "failed" }
            #expect(try await host.services.remote.kept.list(of: key, includingSuperseded: false).count == 1)
        }
    }

    @Test("G7: a right that the client never took ends some time after the client's last session")
    func transient() async throws {
        try await TestHost.with(environment: ["DOCENT_TRANSIENT_SECONDS": "30"]) { host in
            let key = GrantServiceTests.document(host)
            try await host.services.grantStore.record(writer, key, GrantServiceTests.offer())
            let (first, last) = (host.session(), host.session())
            let keeper = Task { await host.services.rights.run() }
            defer { keeper.cancel() }
            host.end(first)
            for _ in 0..<40 { await host.clock.pass("RightsKeeper") }
            await host.clock.sleeper("RightsKeeper")
            #expect(host.services.access.check(writer, key, .read), "the client is still there")
            host.end(last)
            for _ in 0..<25 { await host.clock.pass("RightsKeeper") }
            await host.clock.sleeper("RightsKeeper")
            #expect(host.services.access.check(writer, key, .read))
            for _ in 0..<7 { await host.clock.pass("RightsKeeper") }
            try await TransferSupport.eventually { !host.services.access.check(writer, key, .read) }
        }
    }

    @Test("G7: only a right that its absent client did not take ends, over a restart too; each end is in the log")
    func transientOverRestart() async throws {
        try await TestHost.with(environment: ["DOCENT_TRANSIENT_SECONDS": "30"]) { host in
            let (taken, left) = (GrantServiceTests.document(host), GrantServiceTests.document(host, "b.txt"))
            try await host.services.grantStore.record(writer, taken, GrantServiceTests.offer())
            let present = host.session()
            let leaving = try await Self.leaving(host, taken, left)
            host.end(leaving)
            try await Self.expectEnd(of: left, host)
            try await Self.expectLasting(taken, host, present)
            // The client is there when the daemon ends, and not afterwards.
            _ = try await Self.leaving(host, taken, left)
            try await host.restarted { next async throws in
                let present = next.session()
                #expect(try await next.services.documents.info(present, taken).name == "a.txt")
                try await Self.expectEnd(of: left, next)
                try await Self.expectLasting(taken, next, present)
                let log = next.services.log
                let ended = try await log.entries(log.question(.init())).filter { $0.event == "expired" }
                #expect(ended.map(\.client) == [viewer.identifier, viewer.identifier])
                #expect(ended.map(\.identifier) == [left.identifier, left.identifier])
            }
        }
    }

    /// A session of the viewer, which takes one of its rights and not the other one.
    private static func leaving(_ host: TestHost, _ taken: ItemKey, _ left: ItemKey) async throws -> Session {
        let session = host.session(viewer)
        for key in [taken, left] { try await host.services.grantStore.record(viewer, key, GrantServiceTests.offer()) }
        try await host.services.grants.take(session, taken)
        return session
    }

    /// Lets the viewer's absence pass, and expects that a right ends with it and not before.
    private static func expectEnd(of key: ItemKey, _ host: TestHost) async throws {
        let keeper = Task { await host.services.rights.run() }
        defer { keeper.cancel() }
        for _ in 0..<25 { await host.clock.pass("RightsKeeper") }
        await host.clock.sleeper("RightsKeeper")
        #expect(host.services.access.check(viewer, key, .read))
        for _ in 0..<7 { await host.clock.pass("RightsKeeper") }
        try await TransferSupport.eventually { !host.services.access.check(viewer, key, .read) }
    }

    /// Expects that the viewer has only the right that it took, and that the writer, which is there, can still read.
    private static func expectLasting(_ taken: ItemKey, _ host: TestHost, _ present: Session) async throws {
        #expect(host.services.grantStore.grants(GrantFilter(principal: viewer)).map(\.item) == [taken])
        #expect(host.services.grantStore.grant(of: writer, to: taken)?.isPersistent == false)
        let copy = try await host.services.documents.importGranted(present, taken)
        #expect(copy.file.text == "text")
    }
}
