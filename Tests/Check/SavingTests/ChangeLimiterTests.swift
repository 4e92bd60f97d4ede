import DaemonCore
import DocentInterfaces
import DocentTestSupport
import Foundation
import HostCore
import HostServices
import HostTesting
import Records
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
