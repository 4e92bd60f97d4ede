import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

@Suite struct VersionRecordsTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let store: KeptVersionStore

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        store = KeptVersionStore(database: database)
    }

    private func kept(
        _ id: String, of key: ItemKey = remote("a"), _ reason: KeptVersion.Reason = .superseded, second: Int = 0
    ) -> KeptVersion {
        KeptVersion(
            id: id, key: key, name: "report.txt", reason: reason, size: 10, digest: "d",
            created: Date(milliseconds: 1_700_000_000_000 + Int64(second) * 1000), folder: "folder", file: "file-\(id)",
            operation: "o-\(id)", savedBy: viewer, host: "desk", modified: Date(milliseconds: 1_600_000_000_000),
            contentVersion: "v1")
    }

    @Test(
        "V7: a version names who saved it and where, and is read as it was recorded",
        arguments: KeptVersion.Reason.allCases)
    func whole(reason: KeptVersion.Reason) async throws {
        let version = kept("1", reason)
        try await store.add(version)
        #expect(try await store.version("1") == version)
        #expect(try await store.list(of: version.key) == [version])
        #expect(
            try await store.list(of: version.key, includingSuperseded: false)
                == (reason == .superseded ? [] : [version]))
    }

    @Test("V2: the room of what may be thinned out is known without counting, whatever is added, settled and removed")
    func space() async throws {
        #expect(try await store.space() == (0, 0))
        for number in 0..<5 { try await store.add(kept("\(number)", second: number)) }
        for _ in 0..<2 { try await store.add(kept("0")) }
        try await store.add(kept("mine", .conflict))
        try await store.add(kept("unsaved", .recovered))
        #expect(try await store.space() == (50, 5))
        #expect(try await store.settle(["mine", "absent", "0"], of: remote("a")) == ["mine"])
        #expect(try await store.settle(["mine"], of: remote("a")).isEmpty)
        #expect(try await store.space() == (60, 6))
        try await store.remove(["0", "mine", "unsaved", "absent"])
        #expect(try await store.space() == (40, 4))
        #expect(try await store.version("unsaved") == nil)
    }

    @Test("V6: a settled conflict is no conflict any more; one of another document cannot be settled")
    func settles() async throws {
        try await store.add(kept("mine", .conflict))
        try await store.add(kept("theirs", of: remote("b"), .deleted))
        #expect(try await store.conflicts().map(\.id).sorted() == ["mine", "theirs"])
        #expect(try await store.settle(["theirs"], of: remote("a")).isEmpty)
        #expect(try await store.counts(of: [remote("a"), remote("b")]).count == 2)
        #expect(try await store.settle(["theirs"], of: remote("b")) == ["theirs"])
        #expect(try await store.conflicts(of: remote("b")).isEmpty)
        let settled = try #require(try await store.version("theirs"))
        #expect(settled.reason == .deleted && !settled.isUnresolved && settled.standing == .ordinary)
        #expect(try await store.counts(of: [remote("a"), remote("b")]) == [remote("a"): 1])
    }

    @Test("V2: thinning reads documents, versions and places in steps")
    func steps() async throws {
        for number in 0..<6 {
            try await store.add(kept("\(number)", of: remote(number < 4 ? "a" : "b"), second: number))
        }
        try await store.add(kept("mine", .conflict, second: 100))
        #expect(try await store.documents(after: nil, limit: 1) == [remote("a")])
        #expect(try await store.documents(after: remote("a"), limit: 10) == [remote("b")])
        #expect(try await store.documents(after: remote("b"), limit: 10).isEmpty)
        #expect(try await store.ordinary(of: remote("a")).map(\.id) == ["0", "1", "2", "3"])
        let oldest = try await store.oldest(10)
        #expect(oldest.map(\.id) == ["0", "1", "2", "3", "4", "5"])
        #expect(oldest.last?.next == nil && oldest[0].next == oldest[1].created)
        #expect(try await store.oldest(2).count == 2)
        #expect(try await store.places(of: ["1", "absent"]).map(\.file) == ["file-1"])
        #expect(try await store.unknown(of: ["1", "absent"]) == ["absent"])
    }

    @Test("V2: thousands of versions of one document are listed in a moment")
    func thousands() async throws {
        let all = (0..<2000).map { kept("\($0)", second: $0) }
        try await database.write { database in for version in all { try KeptVersionStore.add(version, to: database) } }
        let clock = ContinuousClock()
        let began = clock.now
        #expect(try await store.list(of: remote("a")).count == 2000)
        #expect(clock.now - began < .seconds(2))
    }

    @Test("V1: the version is recorded with the publication, or neither is")
    func published() async throws {
        let journal = OperationJournal(database: database)
        let id = try await journal.begin(
            OperationRequest(write: remote("a"), operation: "save", principal: writer, baseVersion: "v1")
        ).id
        try await journal.staged(id, digest: "d", size: 3, baseVersion: "v1")
        for _ in 0..<2 { try await journal.published(id, item: "a", replaced: kept("before")) }
        #expect(try await store.list(of: remote("a")).map(\.id) == ["before"])
        #expect(try await journal.origin(of: remote("a"), version: "v2") == nil)
        #expect(try await journal.origin(of: remote("a"), version: nil, operation: id)?.savedBy == writer)
        try await journal.uploaded(id, version: "v2")
        let origin = try #require(try await journal.origin(of: remote("a"), version: "v2"))
        #expect(origin.operation == id && origin.savedBy == writer && origin.digest == "d")
        #expect(try await journal.origin(of: remote("b"), version: "v2") == nil)
    }

    @Test("V1: versions and rules follow their document to another identifier")
    func rekeyed() async throws {
        let rules = VersionRuleStore(database: database)
        try await store.add(kept("1"))
        _ = try await rules.set(VersionRule(.init(remote("a")), days: 3))
        for _ in 0..<2 { try await store.rekey(remote("a"), to: remote("new")) }
        #expect(try await store.list(of: remote("new")).map(\.id) == ["1"])
        #expect(try await rules.all().map(\.scope) == [.init(remote("new"))])
    }

    @Test("V3: rules are stored, changed in part and forgotten")
    func rules() async throws {
        let rules = VersionRuleStore(database: database)
        let account = VersionRule.Scope(remote(ItemKey.rootIdentifier))
        #expect(account.item.isEmpty)
        _ = try await rules.set(VersionRule(.everything, days: 30, space: 5_000_000_000_000))
        _ = try await rules.set(VersionRule(account, isKept: false, whenFull: .drop))
        _ = try await rules.set(VersionRule(account, merges: true))
        let changed = try await rules.set(VersionRule(account, versions: 7))
        #expect(changed == VersionRule(account, isKept: false, versions: 7, whenFull: .drop, merges: true))
        #expect(try await rules.all() == [VersionRule(.everything, days: 30, space: 5_000_000_000_000), changed])
        for _ in 0..<2 { try await rules.remove(account) }
        #expect(try await rules.all().count == 1)
    }

    @Test("V2: what the clock showed is remembered")
    func clock() async throws {
        #expect(try await store.clock() == VersionClock())
        let state = VersionClock(trusted: Date(milliseconds: 5), doubted: Date(milliseconds: 7))
        try await store.set(state)
        #expect(try await store.clock() == state)
        try await store.set(VersionClock(trusted: Date(milliseconds: 9)))
        #expect(try await store.clock() == VersionClock(trusted: Date(milliseconds: 9)))
    }

    @Test(
        "D3: versions of an earlier Docent keep their standing: conflicts wait, the others stay until they are removed")
    func migration() async throws {
        let old = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: old.path + "/docent.sqlite")
        try Schema.migrator.migrate(queue, upTo: "12 partial content")
        try await queue.write { database in
            for reason in ["conflict", "unsent", "deleted", "recovered", "replaced"] {
                try database.execute(
                    sql: """
                        INSERT INTO kept_version (id, provider, domain, item, name, reason, size, created, folder, file)
                        VALUES (?, 'p', '', 'a', 'n', ?, 3, 5, 'f', 'g')
                        """, arguments: [reason, reason])
            }
        }
        try queue.close()
        let store = KeptVersionStore(database: try HostDatabase(directory: old.path))
        let standings = Dictionary(uniqueKeysWithValues: try await store.list().map { ($0.id, $0.standing) })
        #expect(
            standings == [
                "conflict": .conflict, "unsent": .conflict, "deleted": .conflict, "recovered": .kept, "replaced": .kept,
            ])
        #expect(try await store.space() == (0, 0))
    }
}
