import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostServices
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Testing

/// Clients that delete or replace too many documents at once.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ChangeLimiterTests {
    private static let user = Principal(kind: .unconfined, identifier: "org.docent.cli")

    private static func code(_ body: () async throws -> Void) async -> FailureCode? {
        do {
            try await body()
            return nil
        } catch { return (error as? Failure)?.code }
    }

    private static func documents(
        _ host: TestHost, _ count: Int, for principals: [Principal]
    ) async throws -> [ItemKey] {
        var keys: [ItemKey] = []
        for number in 0..<count {
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("\(number).txt", "0"))
            for principal in principals { try await host.grant(key, to: principal) }
            keys.append(key)
        }
        return keys
    }

    @Test("Saves beyond the limit are held and change nothing, until the user allows the client")
    func saves() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { host in
            let keys = try await Self.documents(host, 5, for: [writer, viewer])
            for (number, key) in keys.prefix(3).enumerated() {
                try await host.client().save(key, "1", operation: "a\(number)")
            }
            let held = await Self.code { try await host.client().save(keys[3], "1", operation: "a3") }
            #expect(held == .held && host.store(.inPlace).text(keys[3].identifier) == "0")
            // Not even what it has changed before, and not by deleting.
            #expect(await Self.code { try await host.client().save(keys[0], "2", operation: "b0") } == .held)
            let removed = await Self.code {
                _ = try await host.services.mover.delete(
                    host.session(), keys[4], version: nil, isRecursive: false, operation: "d")
            }
            #expect(removed == .held && host.store(.inPlace).text(keys[4].identifier) == "0")
            // Other clients go on.
            try await host.client(viewer).save(keys[4], "viewer", operation: "v")
            // It does not pass by itself.
            host.clock.advance(by: .seconds(3600))
            #expect(await Self.code { try await host.client().save(keys[3], "1", operation: "a4") } == .held)
            let listed = try await host.services.holds.list()
            #expect(listed.clients.map(\.client) == [writer.identifier] && listed.limit == 3)
            #expect(listed.clients.first?.documents == 4)

            _ = try await host.services.holds.allow(
                .init(clientKind: writer.kind.rawValue, client: writer.identifier))
            for (number, key) in keys.enumerated() {
                try await host.client().save(key, "3", operation: "c\(number)")
            }
            #expect(keys.allSatisfy { host.store(.inPlace).text($0.identifier) == "3" })
            #expect(try await host.services.holds.list().clients.isEmpty)
            // After ten minutes it counts again.
            host.clock.advance(by: .seconds(601))
            for (number, key) in keys.prefix(3).enumerated() {
                try await host.client().save(key, "4", operation: "e\(number)")
            }
            #expect(await Self.code { try await host.client().save(keys[3], "4", operation: "e3") } == .held)
        }
    }

    @Test("A folder counts as the documents in it, and what is temporary for the user's own programs does not count")
    func deletions() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { host in
            let folder = TestProviderKind.inPlace.key(host.store(.inPlace).addFolder("f"))
            let first = host.store(.inPlace).add("0.txt", "0", in: folder.identifier)
            for number in 1..<4 { _ = host.store(.inPlace).add("\(number).txt", "0", in: folder.identifier) }
            try await host.grant(folder)
            let held = await Self.code {
                _ = try await host.services.mover.delete(
                    host.session(), folder, version: nil, isRecursive: true, operation: "d")
            }
            #expect(held == .held && host.store(.inPlace).text(first) == "0")
            let keys = try await Self.documents(host, 5, for: [Self.user])
            for (number, key) in keys.enumerated() {
                _ = try await host.services.mover.delete(
                    host.session(Self.user), key, version: nil, isRecursive: false, trash: .temporary,
                    operation: "t\(number)")
            }
            #expect(try await host.services.holds.list().clients.map(\.client) == [writer.identifier])
        }
    }

    private static func delete(
        _ host: TestHost, _ key: ItemKey, isRecursive: Bool = true, by principal: Principal = writer
    ) async -> FailureCode? {
        await code {
            _ = try await host.services.mover.delete(
                host.session(principal), key, version: nil, isRecursive: isRecursive, operation: UUID().uuidString)
        }
    }

    @Test("A remote folder that nobody has listed counts as the documents in it, and nothing is sent when it is held")
    func unlisted() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { host in
            let store = host.store(.remote)
            let outer = store.addFolder("outer")
            let inner = store.addFolder("inner", in: store.addFolder("middle", in: outer))
            for number in 0..<4 { store.add("\(number).txt", "0", in: inner) }
            let key = TestProviderKind.remote.key(outer)
            #expect(await Self.delete(host, key) == .held)
            #expect(store.calls(.delete).isEmpty && store.contents(of: inner).count == 4)
            // The user's own command is held in the same way, and goes on when it is allowed.
            #expect(await Self.delete(host, key, by: Self.user) == .held)
            _ = try await host.services.holds.allow(.init(clientKind: "unconfined", client: Self.user.identifier))
            #expect(await Self.delete(host, key, by: Self.user) == nil)
            #expect(store.calls(.delete).count == 1)
        }
    }

    @Test("What a provider does not let see counts as too much, and what cannot be reached is not held")
    func unseen() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { host in
            let store = host.store(.remote)
            let (outer, other) = (store.addFolder("outer"), store.addFolder("other"))
            _ = store.addFolder("inner", in: outer)
            _ = store.addFolder("inner", in: other)
            _ = try await host.services.gateway.children(of: TestProviderKind.remote.key(outer), page: nil)
            _ = try await host.services.gateway.children(of: TestProviderKind.remote.key(other), page: nil)
            store.fail(.children, .notPermitted)
            #expect(await Self.delete(host, TestProviderKind.remote.key(outer), by: viewer) == .held)
            store.fail(.children, .serverUnreachable)
            #expect(await Self.delete(host, TestProviderKind.remote.key(other)) == .unavailable)
            #expect(try await host.services.holds.list().clients.map(\.client) == [viewer.identifier])
            #expect(store.calls(.delete).isEmpty)
        }
    }

    @Test("Neither many sessions, nor a vain attempt before, nor empty folders help a client past the limit")
    func dodges() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { host in
            let store = host.store(.inPlace)
            let folder = store.addFolder("full")
            for number in 0..<1_001 { _ = store.addFolder("\(number)", in: folder) }
            let deep = store.addFolder("deep", in: store.addFolder("z", in: folder))
            for number in 0..<4 { store.add("\(number).txt", "0", in: deep) }
            let key = TestProviderKind.inPlace.key(folder)
            // Counts as one.
            #expect(await Self.delete(host, key, isRecursive: false, by: viewer) == .conflict)
            #expect(await Self.delete(host, key, by: viewer) == .held)
            #expect(store.contents(of: deep).count == 4)
            // Each call has a session of its own.
            let keys = try await Self.documents(host, 4, for: [writer])
            for key in keys.prefix(3) { #expect(await Self.delete(host, key) == nil) }
            #expect(await Self.delete(host, keys[3]) == .held)
            let clients = try await host.services.holds.list().clients
            #expect(Set(clients.map(\.client)) == [writer.identifier, viewer.identifier])
            let logged = try await host.services.access.audit.entries(
                GrantFilter(clientIdentifier: writer.identifier), events: [.refused], limit: 10)
            #expect(logged.map(\.detail) == ["held: too many changes at once"])
        }
    }

    @Test("A client that is held can still make new documents")
    func creations() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "1"]) { host in
            let keys = try await Self.documents(host, 2, for: [writer])
            try await host.grant(TestProviderKind.inPlace.root)
            #expect(await Self.delete(host, keys[0]) == nil)
            #expect(await Self.delete(host, keys[1]) == .held)
            let client = host.client()
            try await client.begin(new: "new.txt", in: TestProviderKind.inPlace.root, "new", operation: "n")
            #expect(try await client.commit("n").name == "new.txt")
        }
    }

    @Test("A save that is held can be committed again once it is allowed, and its content is kept if its client ends")
    func kept() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "1"]) { host in
            let keys = try await Self.documents(host, 3, for: [writer])
            let client = host.client()
            try await client.save(keys[0], "1", operation: "a")
            for (key, operation) in [(keys[1], "b"), (keys[2], "c")] {
                try await client.begin(key, "mine", operation: operation)
                #expect(await Self.code { _ = try await client.commit(operation) } == .held)
            }
            #expect(try await client.state("b") == "open")
            _ = try await host.services.holds.allow(
                .init(clientKind: writer.kind.rawValue, client: writer.identifier))
            try await client.commit("b")
            #expect(host.store(.inPlace).text(keys[1].identifier) == "mine")
            await host.services.writes.sessionEnded(client.session, ["c"])
            #expect(host.store(.inPlace).text(keys[2].identifier) == "0")
            #expect(try await host.services.remote.kept.list(includingSuperseded: false).map(\.reason) == [.recovered])
        }
    }

    @Test("The limit is remembered, and the environment decides before it")
    func limits() async throws {
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": ""]) { host in
            #expect(host.services.limiter.limit == ChangeLimiter.standard)
            try await host.services.holds.setLimit(7)
            #expect(await Self.code { try await host.services.holds.setLimit(-1) } == .invalidArgument)
            try await host.services.limiter.load()
            #expect(host.services.limiter.limit == 7)
            try await host.services.holds.setLimit(0)
            #expect(host.services.limiter.limit == 0)
        }
        try await TestHost.with(environment: ["DOCENT_CHANGE_LIMIT": "9"]) { host in
            #expect(host.services.limiter.limit == 9)
            #expect(await Self.code { try await host.services.holds.setLimit(7) } == .notPermitted)
        }
        #expect(ChangeLimiter.limit("off") == 0 && ChangeLimiter.limit("12") == 12)
        #expect(["", "0", "-1", "many", "100001"].allSatisfy { ChangeLimiter.limit($0) == nil })
    }
}
