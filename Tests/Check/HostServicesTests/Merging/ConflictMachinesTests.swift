import DaemonCore
import DocentInterfaces
import DocentTestSupport
import Foundation
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Testing

@testable import HostServices

/// Two machines with the same account, each with what it has saved in conflict with a third one.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ConflictMachinesTests {
    private static func withMachines(
        _ texts: [String], third: String, _ body: ([TestHost], ItemKey) async throws -> Void
    ) async throws {
        try await TestHost.with(environment: ConflictMergerTests.environment) { one in
            try await one.beside { other in
                let hosts = [one, other]
                let store = one.store(.remote)
                let key = TestProviderKind.remote.key(store.add("a.txt", ConflictMergerTests.base))
                var clients: [TestClient] = []
                for (host, text) in zip(hosts, texts) {
                    try await host.grant(key, to: ConflictMergerTests.user)
                    let client = host.client(ConflictMergerTests.user)
                    #expect(try await client.read(key) == ConflictMergerTests.base)
                    try await client.begin(key, text, operation: "mine")
                    clients.append(client)
                }
                store.edit(key.identifier, third)
                for client in clients { try await client.commit("mine") }
                for host in hosts {
                    try await ConflictMergerTests.settled(host, key)
                    #expect(try await ConflictMergerTests.conflicts(host, key).count == 1)
                }
                try await body(hosts, key)
            }
        }
    }

    @Test("V6: two machines that merge at once come to rest with the same text, which has what each of them saved")
    func merge() async throws {
        let texts = [ConflictMergerTests.text([2: "one"]), ConflictMergerTests.text([5: "other"])]
        try await Self.withMachines(texts, third: ConflictMergerTests.text([8: "third"])) { hosts, key in
            for host in hosts {
                _ = try await host.services.policies.set(VersionRule(.everything, merges: true))
            }
            async let first: Void = hosts[0].services.merger.mergeAll()
            await hosts[1].services.merger.mergeAll()
            await first
            try await TransferSupport.eventually {
                var isQuiet = true
                for host in hosts {
                    await host.services.merger.mergeAll()
                    let isSettled = try await ConflictMergerTests.conflicts(host, key).isEmpty
                    isQuiet = isQuiet && isSettled && !host.services.remote.states.contains(key)
                }
                return isQuiet
            }
            let merged = ConflictMergerTests.text([2: "one", 5: "other", 8: "third"])
            let store = hosts[0].store(.remote)
            #expect(store.text(key.identifier) == merged)
            for host in hosts {
                #expect(try await host.client(ConflictMergerTests.user).read(key) == merged)
                #expect(try await ConflictMergerTests.conflicts(host, key).isEmpty)
            }
            // The two that were refused, one of each machine, and one more of the machine that came second.
            #expect(store.calls(.modify).count <= 5)
        }
    }

    /// The decision of a person at one of the machines.
    enum Choice: CaseIterable {
        case mine, theirs
    }

    private static func resolve(_ host: TestHost, _ key: ItemKey, _ choice: Choice, operation: String) async throws {
        let session = host.session(ConflictMergerTests.user)
        let conflicts = try await ConflictMergerTests.conflicts(host, key)
        let newest = try #require(conflicts.last)
        if choice == .mine {
            _ = try await host.services.versions.restore(session, key, newest.id, operation: operation)
        }
        try await host.services.versions.settle(session, key, conflicts.map(\.id))
    }

    @Test(
        "V6: two machines settle a conflict differently at once: both end with the same content, and none is lost",
        arguments: Choice.allCases, Choice.allCases)
    func settleDifferently(one: Choice, other: Choice) async throws {
        let texts = ["one\n", "other\n"]
        try await Self.withMachines(texts, third: "third\n") { hosts, key in
            // People look at both sides before they decide.
            for host in hosts { #expect(try await host.client(ConflictMergerTests.user).read(key) == "third\n") }
            async let first: Void = Self.resolve(hosts[0], key, one, operation: "resolve")
            try await Self.resolve(hosts[1], key, other, operation: "resolve")
            try await first
            // Whoever was second has lost again, sees the other decision, and accepts it.
            for host in hosts { try await ConflictMergerTests.settled(host, key) }
            for host in hosts where try await !ConflictMergerTests.conflicts(host, key).isEmpty {
                try await Self.resolve(host, key, .theirs, operation: "accept")
            }
            let store = hosts[0].store(.remote)
            let current = try #require(store.text(key.identifier))
            #expect((texts + ["third\n"]).contains(current))
            if one == .theirs, other == .theirs { #expect(current == "third\n") } else { #expect(current != "third\n") }
            var found: Set = [current]
            for host in hosts {
                #expect(try await host.client(ConflictMergerTests.user).read(key) == current)
                #expect(try await ConflictMergerTests.conflicts(host, key).isEmpty)
                found.formUnion(try await ConflictMergerTests.texts(host, key))
            }
            #expect(found.isSuperset(of: texts + ["third\n", ConflictMergerTests.base]), "\(found)")
        }
    }
}
