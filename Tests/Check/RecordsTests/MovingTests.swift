import Foundation
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// Rights when identifiers change or end.
@Suite struct MovingTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let index: ItemIndex

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        index = ItemIndex(database: database)
    }

    @Test("F1–F4: a tree moves in one transaction, missing items are removed, and the rights in memory follow")
    func tree() async throws {
        let grants = try await GrantStore(database: database)
        let journal = ItemChangeJournal(database: database)
        _ = try await index.merge(
            [
                entry("/a", folder: true), entry("/a/x", parent: "/a", name: "x"),
                entry("/a/y", parent: "/a", name: "y"),
            ], provider: provider, domain: "work")
        try await grants.record(writer, remote("/a/x"), .readWrite, origin: .open)
        try await grants.record(writer, remote("/a/y"), .read, origin: .open)
        let bookmark = try await BookmarkStore(database: database).create(writer, remote("/a/x"), .read)
        var change = ItemChange(
            .move, of: remote("/a"), to: ".root", name: "b", formerName: "a", version: nil, operation: "o",
            principal: writer)
        try await journal.save(change)
        #expect(try await journal.pending() == [change])
        change.result = "/b"
        change.isFinished = true
        let removed = try await index.rekey(
            [
                .init(key: remote("/a"), description: entry("/b", folder: true)),
                .init(key: remote("/a/x"), description: entry("/b/x", parent: "/b", name: "x")),
            ], gone: [remote("/a/y")], finishing: change)
        #expect(removed.map(\.key) == [remote("/a/y")])
        #expect(try await journal.pending().isEmpty)
        #expect(try await journal.change("o", writer)?.resultKey == remote("/b"))
        #expect(try await journal.change("o", viewer) == nil)
        #expect(try await index.children(of: remote("/b"), after: nil, limit: 9).map(\.key) == [remote("/b/x")])
        for store in [grants, try await GrantStore(database: database)] {
            #expect(store.check(writer, remote("/b/x"), .readWrite) != nil)
            #expect(store.check(writer, remote("/a/x"), .read) == nil)
            #expect(store.check(writer, remote("/a/y"), .read) == nil)
        }
        #expect(try await BookmarkStore(database: database).resolve(bookmark, writer).item == remote("/b/x"))
        #expect(try await index.alias(of: remote("/a/x")) == remote("/b/x"))
    }

    @Test(
        "fault 5: a new item under a former identifier inherits nothing",
        arguments: [true, false])
    func inheritance(byListing: Bool) async throws {
        let grants = try await GrantStore(database: database)
        _ = try await index.merge([entry("/a", version: "1")], provider: provider, domain: "work")
        try await grants.record(writer, remote("/a"), .readWrite, origin: .open)
        let bookmark = try await BookmarkStore(database: database).create(writer, remote("/a"), .read)
        if byListing {
            _ = try await index.replaceListing(of: remote(".root"), with: [])
        } else {
            _ = try await index.remove(remote("/a"))
        }
        #expect(grants.check(writer, remote("/a"), .read) == nil)
        let grave = try #require(try await index.alias(of: remote("/a")))
        #expect(Tombstone.isOne(grave.identifier))
        #expect(try await BookmarkStore(database: database).resolve(bookmark, writer).item == grave)

        _ = try await index.merge([entry("/a", version: "2")], provider: provider, domain: "work")
        #expect(try await index.alias(of: remote("/a")) == nil)
        for store in [grants, try await GrantStore(database: database)] {
            #expect(store.check(writer, remote("/a"), .read) == nil)
            #expect(store.check(writer, grave, .readWrite) != nil)
        }
    }

    @Test("HAZARDS 4: the same item at the same version gets its rights back; without versions none does")
    func restored() async throws {
        let grants = try await GrantStore(database: database)
        for (version, isSame) in [("1", true), (nil, false)] as [(String?, Bool)] {
            let key = remote("/\(version ?? "none")")
            let item = entry(key.identifier, version: version)
            for round in 0..<2 {
                _ = try await index.merge([item], provider: provider, domain: "work")
                if round == 0 || !isSame { try await grants.record(writer, key, .read, origin: .open) }
                _ = try await index.remove(key)
                #expect(grants.check(writer, key, .read) == nil)
                _ = try await index.merge([item], provider: provider, domain: "work")
                #expect((grants.check(writer, key, .read) != nil) == isSame, "\(version ?? "none") \(round)")
            }
        }
    }

    @Test("a former identifier that is in use again is no longer an alias")
    func reused() async throws {
        _ = try await index.merge([entry("/a")], provider: provider, domain: "work")
        try await index.rekey(remote("/a"), to: entry("/b"))
        #expect(try await index.alias(of: remote("/a")) == remote("/b"))
        _ = try await index.replaceListing(of: remote(".root"), with: [entry("/a"), entry("/b")])
        #expect(try await index.alias(of: remote("/a")) == nil)
        #expect(try await index.item(remote("/b")) != nil)
    }

    @Test("a tombstone's identifier can be decoded", arguments: ["1", nil, "", "a-b", "ü\"-3-"])
    func tombstone(version: String?) {
        for identifier in ["/a", "x-1", ".docent-gone-1-x/y", "é"] {
            let grave = Tombstone(entry(identifier, version: version))
            #expect(Tombstone(identifier: grave.identifier) == grave)
            #expect(grave.former == identifier && grave.version == version)
        }
        #expect(Tombstone(identifier: "/a") == nil)
        #expect(Tombstone(identifier: ".docent-gone-9-x") == nil)
    }
}
