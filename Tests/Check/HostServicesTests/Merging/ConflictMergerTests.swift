import Access
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
import Storage
import Testing

@testable import HostServices

/// Conflicts of texts that Docent settles by itself.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ConflictMergerTests {
    static let environment = ["DOCENT_FRESH_SECONDS": "0"]
    static let user = Principal(kind: .unconfined, identifier: "org.docent.cli")
    static let base = (1...9).map { "line \($0)\n" }.joined()

    /// The base with other lines at some places.
    static func text(_ changes: [Int: String]) -> String {
        (1...9).map { (changes[$0] ?? "line \($0)") + "\n" }.joined()
    }

    /// A remote document that is read here, with a client that may write it.
    static func document(
        _ host: TestHost, _ content: String = base, in folder: String = ".root"
    ) async throws -> ItemKey {
        let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", content, in: folder))
        try await host.grant(key, to: user)
        #expect(try await host.client(Self.user).read(key) == content)
        return key
    }

    /// Saves a text here, while another machine saves another one.
    static func collide(
        _ host: TestHost, _ key: ItemKey, mine: String, theirs: String, operation: String = "mine"
    ) async throws {
        let client = host.client(Self.user)
        try await client.begin(key, mine, operation: operation)
        host.store(.remote).edit(key.identifier, theirs)
        try await client.commit(operation)
        try await settled(host, key)
        #expect(try await !conflicts(host, key).isEmpty)
    }

    /// Waits until nothing of a document has to be sent any more.
    static func settled(_ host: TestHost, _ key: ItemKey) async throws {
        try await TransferSupport.eventually { !host.services.remote.states.contains(key) }
    }

    static func conflicts(_ host: TestHost, _ key: ItemKey) async throws -> [KeptVersion] {
        try await host.services.remote.kept.conflicts(of: key)
    }

    /// The contents that are kept of a document.
    static func texts(_ host: TestHost, _ key: ItemKey) async throws -> Set<String> {
        var texts: Set<String> = []
        for version in try await host.services.remote.kept.list(of: key) {
            texts.insert(try await host.services.remoteAdministrator.openVersion(version.id).file.text)
        }
        return texts
    }

    private static func turnOn(_ host: TestHost, _ scope: VersionRule.Scope = .everything) async throws {
        _ = try await host.services.policies.set(VersionRule(scope, merges: true))
    }

    private static func merges(_ host: TestHost) async throws -> [AuditEntry] {
        try await host.services.access.audit.entries(events: [.merged])
    }

    @Test("V6: texts whose changes do not touch become one, both stay as versions, and the merge is taken back")
    func merges() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            let (mine, theirs) = (Self.text([2: "mine"]), Self.text([8: "theirs"]))
            try await Self.collide(host, key, mine: mine, theirs: theirs)
            let conflict = try #require(try await Self.conflicts(host, key).first)
            try await Self.turnOn(host)
            await host.services.merger.mergeAll()
            let merged = Self.text([2: "mine", 8: "theirs"])
            #expect(try await Self.conflicts(host, key).isEmpty)
            #expect(try await host.client(Self.user).read(key) == merged)
            try await Self.settled(host, key)
            #expect(host.store(.remote).text(key.identifier) == merged)
            #expect(try await Self.texts(host, key).isSuperset(of: [Self.base, mine, theirs]))
            let entry = try #require(try await Self.merges(host).first)
            #expect(entry.item == key && entry.principal.kind == .unknown && entry.detail.contains(conflict.id))
            #expect(try await Self.merges(host).count == 1)
            // Again, nothing is left to do.
            await host.services.merger.mergeAll()
            #expect(host.store(.remote).calls(.modify).count == 2)
            let change = try #require(try await host.services.trash.lastChange())
            #expect(change.client == Principal.merging.identifier)
            _ = try await host.services.trash.undo(host.session(Self.user), change.identifier)
            #expect(try await host.client(Self.user).read(key) == theirs)
            #expect(try await Self.conflicts(host, key).isEmpty)
        }
    }

    @Test("V6: nothing is merged where nobody has turned that on")
    func off() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let folder = host.store(.remote).addFolder("Notes")
            let key = try await Self.document(host, in: folder)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            await host.services.merger.mergeAll()
            try await Self.turnOn(host, .init(TestProviderKind.inPlace.root))
            await host.services.merger.mergeAll()
            try await Self.turnOn(host)
            let scope = VersionRule.Scope(TestProviderKind.remote.key(folder))
            _ = try await host.services.policies.set(VersionRule(scope, merges: false))
            await host.services.merger.mergeAll()
            #expect(try await Self.conflicts(host, key).count == 1)
            #expect(host.store(.remote).calls(.modify).count == 1)
            _ = try await host.services.policies.set(VersionRule(scope, merges: true))
            await host.services.merger.mergeAll()
            #expect(try await Self.conflicts(host, key).isEmpty)
        }
    }

    private struct Pair: CustomTestStringConvertible {
        var name, mine, theirs: String
        var testDescription: String { name }
    }

    private static let apart = [
        Pair(name: "the same line", mine: text([4: "mine"]), theirs: text([4: "theirs"])),
        Pair(name: "one after the other", mine: text([4: "mine"]), theirs: text([5: "theirs"])),
        Pair(name: "no text", mine: text([2: "a\u{0}b"]), theirs: text([8: "theirs"])),
        Pair(name: "too large", mine: text([2: String(repeating: "a", count: 5 << 20)]), theirs: text([8: "theirs"])),
    ]

    @Test("V6: what cannot be merged for certain stays a conflict, and nothing is saved", arguments: apart)
    private func remains(_ pair: Pair) async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            try await Self.collide(host, key, mine: pair.mine, theirs: pair.theirs)
            for _ in 0..<2 { await host.services.merger.mergeAll() }
            #expect(try await Self.conflicts(host, key).count == 1)
            #expect(try await host.client(Self.user).read(key) == pair.theirs)
            #expect(host.store(.remote).calls(.modify).count == 1)
            #expect(try await Self.merges(host).isEmpty)
        }
    }

    @Test("V6: without the text that both started from nothing is merged")
    func unknown() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            _ = try await host.services.policies.set(VersionRule(.everything, isKept: false))
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            await host.services.merger.mergeAll()
            #expect(try await Self.conflicts(host, key).count == 1)
        }
    }

    @Test("V6: what somebody has merged already is not saved again")
    func contained() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            let both = Self.text([2: "mine", 8: "theirs"])
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: both)
            await host.services.merger.mergeAll()
            #expect(try await Self.conflicts(host, key).isEmpty)
            #expect(try await host.client(Self.user).read(key) == both)
            #expect(host.store(.remote).calls(.modify).count == 1)
            #expect(try await Self.merges(host).count == 1)
        }
    }

    @Test("V6: of several saves that were not sent, the last one is merged, which has what the others have")
    func chain() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            let gate = host.store(.remote).hold(.modify)
            try await host.client(Self.user).save(key, Self.text([2: "first"]), operation: "1")
            await gate.reached()
            try await host.client(Self.user).save(key, Self.text([2: "second", 4: "new"]), operation: "2")
            host.store(.remote).edit(key.identifier, Self.text([8: "theirs"]))
            gate.open()
            try await TransferSupport.eventually { try await Self.conflicts(host, key).count == 2 }
            try await Self.settled(host, key)
            await host.services.merger.mergeAll()
            #expect(try await Self.conflicts(host, key).isEmpty)
            let merged = Self.text([2: "second", 4: "new", 8: "theirs"])
            #expect(try await host.client(Self.user).read(key) == merged)
            try await Self.settled(host, key)
            #expect(host.store(.remote).text(key.identifier) == merged)
        }
    }

    @Test("V6: if another machine saves while the merge is sent, what was merged is merged with that")
    func faster() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            let store = host.store(.remote)
            store.before(.modify) { _ in store.edit(key.identifier, Self.text([5: "other", 8: "theirs"])) }
            await host.services.merger.mergeAll()
            try await Self.settled(host, key)
            let lost = try #require(try await Self.conflicts(host, key).first)
            #expect(lost.savedBy == .merging)
            await host.services.merger.mergeAll()
            try await Self.settled(host, key)
            #expect(try await Self.conflicts(host, key).isEmpty)
            #expect(store.text(key.identifier) == Self.text([2: "mine", 5: "other", 8: "theirs"]))
        }
    }

    @Test("V6: a merge that always comes too late is given up, and the conflict stays")
    func neverFirst() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "0"]))
            let store = host.store(.remote)
            store.before(.modify, times: 100) { _ in
                store.edit(key.identifier, Self.text([8: "\(store.calls(.modify).count)"]))
            }
            for _ in 0..<12 {
                await host.services.merger.mergeAll()
                try await Self.settled(host, key)
            }
            #expect(store.calls(.modify).count == 9)
            let left = try await Self.conflicts(host, key)
            #expect(left.count == 1)
            let kept = try await host.services.remoteAdministrator.openVersion(try #require(left.first).id).file.text
            #expect(kept.contains("mine\n"))
        }
    }

    @Test("V6, V8: a merge that was saved before the daemon ended is settled by the next one, and not saved again")
    func savedBefore() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            let conflict = try #require(try await Self.conflicts(host, key).first)
            let current = try await host.services.gateway.content(key).item
            let merged = Self.text([2: "mine", 8: "theirs"])
            let saved = try await host.services.writes.saveMerged(
                try BoundedMemoryFile.reading(Array(merged.utf8)), of: key, over: try #require(current.version),
                operation: "merged-1-" + conflict.id
            ) { true }
            #expect(saved != nil)
            try await Self.settled(host, key)
            try await host.restarted { next async throws in
                #expect(try await Self.conflicts(next, key).count == 1)
                await next.services.merger.mergeAll()
                #expect(try await Self.conflicts(next, key).isEmpty)
                #expect(next.store(.remote).text(key.identifier) == merged)
                #expect(next.store(.remote).calls(.modify).count == 2)
                #expect(try await Self.merges(next).count == 1)
            }
        }
    }

    @Test("V8: a merge that had only begun when the daemon ended leaves nothing, and is made by the next one")
    func begun() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.turnOn(host)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            let conflict = try #require(try await Self.conflicts(host, key).first)
            let row = try await host.services.journal.begin(
                OperationRequest(
                    write: key, operation: "merged-1-" + conflict.id, principal: .merging, baseVersion: "v2",
                    name: "a.txt"))
            _ = try await host.services.staged.begin(
                row, from: try BoundedMemoryFile.reading(Array("half".utf8)), expected: 0)
            try await host.restarted { next async throws in
                #expect(next.files(in: "Staging").isEmpty)
                #expect(try await !Self.texts(next, key).contains("half"))
                await next.services.merger.mergeAll()
                #expect(try await Self.conflicts(next, key).isEmpty)
                #expect(try await next.client(Self.user).read(key) == Self.text([2: "mine", 8: "theirs"]))
            }
        }
    }

    @Test("V6: a document that was changed after it was read for the merge is not overwritten")
    func changed() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = try await Self.document(host)
            try await Self.collide(host, key, mine: Self.text([2: "mine"]), theirs: Self.text([8: "theirs"]))
            let file = try BoundedMemoryFile.reading(Array("merged".utf8))
            for (version, isWanted) in [("v1", true), ("v2", false)] {
                let saved = try await host.services.writes.saveMerged(
                    file, of: key, over: version, operation: "merged-" + version
                ) { isWanted }
                #expect(saved == nil)
            }
            #expect(host.store(.remote).calls(.modify).count == 1)
            #expect(host.files(in: "Staging").isEmpty)
        }
    }

    @Test("I2: no client can say that it is Docent's own merging")
    func identity() {
        #expect(!SessionRegistry.isAcceptable(Principal.merging.identifier))
    }

    @Test(
        "V6: how often a content was merged is in the name of its save",
        arguments: [
            ("merged-3-AB-CD", 3), ("merged-x-AB", 0), ("save", 0), ("merged-2", 0), ("", 0),
        ])
    func generations(name: String, number: Int) {
        #expect(ConflictMerger.generation(of: name) == number)
    }
}
