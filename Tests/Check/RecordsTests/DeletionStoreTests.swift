import Foundation
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// Deletions that can be taken back, on disk, and what the index takes in meanwhile.
@Suite struct DeletionStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let store: DeletionStore
    let index: ItemIndex

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        store = DeletionStore(database: database)
        index = ItemIndex(database: database)
    }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func deletion(_ identifier: String, id: String = "1", folder: Bool = false) -> PendingDeletion {
        PendingDeletion(
            id: id, principal: writer, key: remote(identifier), parent: ".root", name: identifier, isFolder: folder,
            size: 1, path: "/" + identifier, created: Self.start, due: Self.start.addingTimeInterval(60))
    }

    private func merge(_ entries: ItemDescription...) async throws -> [String] {
        try await index.merge(entries, provider: provider, domain: "work").map(\.item.key.identifier)
    }

    /// Deletes an item as the daemon does, with everything the index has below it.
    private func delete(_ deletion: PendingDeletion, listed: Date? = start) async throws {
        let root = try #require(try await index.item(deletion.key))
        let tree = [root] + (try await index.descendants(of: deletion.key))
        try await store.record(
            deletion,
            tree.map { DeletedItem($0.description, listed: $0.description.isFolder ? listed : nil) })
        try await index.remove(deletion.key)
    }

    @Test("O15: a recorded deletion is there after a restart with all that was recorded")
    func recorded() async throws {
        _ = try await merge(entry("a"), entry("b"))
        try await delete(deletion("a"))
        let again = DeletionStore(database: database)
        let found = try #require(try await again.all().first)
        #expect(try await again.deletion("1") == found)
        let given = deletion("a")
        #expect(found.key == given.key && found.name == "a" && found.parent == ".root" && !found.isFolder)
        #expect(found.created == given.created && found.due == given.due && found.path == "/a" && found.size == 1)
        #expect(found.principal == writer && !found.isWanted && !found.isSuspect)
        #expect(try await again.items(of: "1") == [DeletedItem(entry("a"))])
        #expect(try await again.all(provider: provider, domain: "other").isEmpty)
        try await again.setWanted("1")
        #expect(try await again.deletion("1")?.isWanted == true)
        try await again.extend("1", from: Self.start, to: Self.start.addingTimeInterval(5))
        #expect(try await again.deletion("1")?.due == Self.start.addingTimeInterval(5))
    }

    @Test("O15: nothing that a provider says of a deleted item is taken in, and a change of it is noticed")
    func hidden() async throws {
        _ = try await merge(entry("a"), entry("b"))
        try await delete(deletion("a"))
        #expect(try await merge(entry("a"), entry("b")) == ["b"])
        #expect(try await store.deletion("1")?.isSuspect == false)
        let listed = try await index.replaceListing(of: remote(".root"), with: [entry("a"), entry("b"), entry("c")])
        #expect(listed.added == 1 && listed.removed.isEmpty && listed.hidden == [BytewiseText("a")])
        #expect(try await index.item(remote("a")) == nil)
        #expect(try await merge(entry("a", version: "2")).isEmpty)
        #expect(try await store.deletion("1")?.isSuspect == true)
        try await store.clearSuspicion("1")
        #expect(try await store.deletion("1")?.isSuspect == false)
        // The same identifier in another account.
        let elsewhere = try await index.merge([entry("a")], provider: provider, domain: "other")
        #expect(elsewhere.count == 1)
    }

    @Test("O15: what is in a deleted folder is hidden, and something new in it is noticed if all was known")
    func folder() async throws {
        for isKnown in [true, false] {
            let name = isKnown ? "known" : "unknown"
            _ = try await merge(entry(name, folder: true, version: nil), entry("\(name)-a", parent: name))
            try await delete(deletion(name, id: name, folder: true), listed: isKnown ? Self.start : nil)
            #expect(try await merge(entry("\(name)-a", parent: name)).isEmpty)
            #expect(try await store.deletion(name)?.isSuspect == false)
            #expect(try await merge(entry("\(name)-new", parent: name)).isEmpty)
            #expect(try await store.deletion(name)?.isSuspect == isKnown)
        }
    }

    @Test("O15: a deletion that is taken back leaves the items with their rights, also without versions")
    func rights() async throws {
        let grants = try await GrantStore(database: database)
        _ = try await merge(
            entry("f", folder: true, version: nil), entry("f-a", parent: "f"), entry("f-b", parent: "f", version: nil))
        for key in [remote("f"), remote("f-a"), remote("f-b")] {
            try await grants.record(writer, key, .readWrite, origin: .open)
        }
        try await delete(deletion("f", folder: true))
        #expect(try await index.descendants(of: remote("f")).isEmpty)
        for key in [remote("f"), remote("f-a"), remote("f-b")] { #expect(grants.grant(of: writer, to: key) == nil) }
        let back = try await index.bringBack(deletion("f", folder: true), returnsRights: true)
        #expect(Set(back.map(\.key)) == [remote("f"), remote("f-a"), remote("f-b")])
        for key in [remote("f"), remote("f-a"), remote("f-b")] {
            #expect(grants.grant(of: writer, to: key) != nil, "\(key)")
            #expect(try await index.item(key)?.checked == nil)
        }
        #expect(try await store.all().isEmpty)
        #expect(try await store.items(of: "1").isEmpty)
        #expect(try await index.bringBack(deletion("f", folder: true), returnsRights: true).isEmpty)
    }

    @Test("O15: what is given up appears again; only what is proved to be the same has its rights")
    func givenUp() async throws {
        let grants = try await GrantStore(database: database)
        _ = try await merge(entry("f", folder: true, version: nil), entry("f-a", parent: "f"))
        for key in [remote("f"), remote("f-a")] {
            try await grants.record(writer, key, .readWrite, origin: .open)
        }
        try await delete(deletion("f", folder: true))
        _ = try await index.bringBack(deletion("f", folder: true), returnsRights: false)
        #expect(grants.grant(of: writer, to: remote("f-a")) != nil)
        #expect(grants.grant(of: writer, to: remote("f")) == nil)
        #expect(try await merge(entry("f-a", parent: "f", version: "2")) == ["f-a"])
    }

    @Test("O16: a deletion that was carried out cannot be taken back, and one that was given up need not be")
    func undo() async throws {
        let changes = UndoStore(database: database)
        for (number, id) in ["1", "2", "3"].enumerated() {
            let key = remote(id)
            _ = try await merge(entry(id))
            try await delete(deletion(id, id: id))
            let made = UndoableChange(
                id: id, principal: writer, kind: .delete, key: key, name: id, parent: ".root", formerName: id,
                formerParent: ".root", isFolder: false, isTrashed: true, trashed: deletion(id, id: id).trashed,
                created: Date.now.addingTimeInterval(Double(number)))
            try await changes.add(made)
        }
        #expect(try await store.takenBack("1") == nil)
        try await store.finish("1")
        #expect(try await changes.change("1")?.isTrashed == false)
        #expect(try await store.takenBack("1") == nil)
        _ = try await index.bringBack(deletion("2", id: "2"), returnsRights: true)
        #expect(try await store.takenBack("2") == remote("2"))
        #expect(try await changes.change("2") != nil)
        try await store.abandon("3")
        #expect(try await changes.change("3") == nil)
        #expect(try await store.all().isEmpty)
    }

    @Test("O15: the rules of accounts and that of all of them are kept, and forgotten one by one")
    func rules() async throws {
        try await store.setRule(60, of: nil)
        try await store.setRule(0, of: remote(".root"))
        let rules = try await DeletionStore(database: database).rules()
        #expect(rules.map(\.seconds) == [60, 0] && rules.map(\.account) == [nil, remote(".root")])
        try await store.setRule(nil, of: nil)
        #expect(try await store.rules().map(\.seconds) == [0])
    }
}
