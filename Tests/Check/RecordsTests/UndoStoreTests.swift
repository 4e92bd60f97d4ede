import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// What is remembered of changes, so that the user can take them back.
@Suite struct UndoStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let store: UndoStore

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        store = UndoStore(database: database)
    }

    private func change(_ id: String, at moment: Date = .now, name: String = "a") -> UndoableChange {
        UndoableChange(
            id: id, principal: writer, kind: .delete, key: remote("/\(id)"), name: name, parent: ".root",
            formerName: name, formerParent: ".root", isFolder: false, version: "v", isTrashed: true, trashed: "t",
            keptVersion: "k", created: moment.stored)
    }

    @Test("O16: the last change is found with everything that was recorded, also after a restart")
    func last() async throws {
        #expect(try await store.last() == nil)
        try await store.add(change("1"))
        try await store.add(change("2"))
        // Recorded again, as after a kill.
        try await store.add(change("1"))
        let found = try await UndoStore(database: database).last()
        #expect(found?.id == "2" && found?.key == remote("/2") && found?.trashed == "t" && found?.keptVersion == "k")
        #expect(found?.principal == writer && found?.isTrashed == true && found?.version == "v")
    }

    @Test("O16: what was taken back is the last change no more, and is known as such")
    func undone() async throws {
        try await store.add(change("1"))
        try await store.add(change("2"))
        try await store.markUndone("2")
        #expect(try await store.last()?.id == "1")
        #expect(try await store.undone("2")?.id == "2")
        #expect(try await store.undone("1") == nil)
        try await store.markUndone("none")
        #expect(try await store.undone("none") == nil)
    }

    private func save(_ id: String, by principal: Principal, of key: ItemKey, at moment: Date) -> UndoableChange {
        UndoableChange(
            id: "save-" + id, principal: principal, kind: .overwrite, key: key, name: "a", parent: "", formerName: "a",
            formerParent: "", isFolder: false, keptVersion: "k\(id)", created: moment.stored)
    }

    @Test("O16: the changes of one client since a moment are found in pages, newest first")
    func ofClient() async throws {
        let now = Date.now
        for number in 0..<10 {
            let moment = now.addingTimeInterval(Double(number) - 10)
            try await store.add(save("w\(number)", by: writer, of: remote("/\(number)"), at: moment), at: now)
            try await store.add(save("v\(number)", by: viewer, of: remote("/\(number)"), at: moment), at: now)
        }
        try await store.markUndone("save-w7")
        let start = now.addingTimeInterval(-6)
        let first = try await store.changes(by: writer.identifier, since: start, limit: 3, at: now)
        #expect(first.map(\.change.id) == ["save-w9", "save-w8", "save-w6"])
        let rest = try await store.changes(
            by: writer.identifier, since: start, after: first.last?.number, limit: 3, at: now)
        #expect(rest.map(\.change.id) == ["save-w5", "save-w4"])
        #expect(try await store.changes(by: "nobody", since: start, limit: 3, at: now).isEmpty)
        #expect(try await store.change("save-w6")?.keptVersion == "kw6")
        #expect(try await store.change("save-w7") == nil)
    }

    @Test("O16: the saves of a document after one, also those that were taken back")
    func later() async throws {
        let key = remote("/a")
        for number in 0..<3 { try await store.add(save("\(number)", by: writer, of: key, at: .now)) }
        try await store.add(save("other", by: writer, of: remote("/b"), at: .now))
        try await store.markUndone("save-2")
        let first = try #require(try await store.change("save-0"))
        #expect(try await store.saves(after: first).map(\.id) == ["save-1", "save-2"])
    }

    @Test("O16: only so many changes of so many days are remembered")
    func bounds() async throws {
        let now = Date.now
        try await store.add(change("old", at: now.addingTimeInterval(-UndoStore.longestSeconds - 1)), at: now)
        #expect(try await store.last(at: now) == nil)
        let store = UndoStore(database: database, most: 500)
        for number in 0..<505 { try await store.add(change("\(number)", at: now), at: now) }
        let count = try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM undoable_change") ?? 0
        }
        #expect(count == 500)
        #expect(try await store.last(at: now)?.id == "504")
        #expect(try await store.last(at: now.addingTimeInterval(UndoStore.longestSeconds + 1)) == nil)
    }

    @Test("O16: a name that SQLite would cut off is not recorded as another one")
    func hostileNames() async throws {
        try await store.add(change("1", name: "a\0b"))
        #expect(try await store.last() == nil)
    }

    @Test("O16: a change is recorded together with the end of its journal entry, and what takes it back ends it")
    func journal() async throws {
        let journal = ItemChangeJournal(database: database)
        var change = ItemChange(
            .move, of: remote("/a"), to: "/f", name: "b", formerName: "a", version: nil, operation: "o",
            principal: writer, from: ".root", isFolder: false)
        try await journal.save(change)
        #expect(try await store.last() == nil)
        change.result = "/f/b"
        try await journal.finish(change)
        let recorded = try #require(try await store.last())
        #expect(recorded.kind == .move && recorded.key == remote("/f/b") && recorded.formerParent == ".root")
        #expect(try await journal.pending().isEmpty)
        var back = ItemChange(
            .move, of: remote("/f/b"), to: ".root", name: "a", formerName: "b", version: nil, operation: "p",
            principal: viewer, from: "/f", isFolder: false)
        back.undoes = recorded.id
        back.result = "/a"
        try await journal.finish(back)
        #expect(try await store.last() == nil)
        #expect(try await store.undone(recorded.id) != nil)
    }

    @Test("O16: a new folder, and a change that an earlier release began, are not recorded")
    func notRecorded() async throws {
        let journal = ItemChangeJournal(database: database)
        for kind in [ItemChange.Kind.makeFolder, .move] {
            try await journal.finish(
                ItemChange(
                    kind, of: remote("/a"), to: "/f", name: "b", formerName: "a", version: nil,
                    operation: kind.rawValue, principal: writer))
        }
        #expect(try await store.last() == nil)
    }
}
