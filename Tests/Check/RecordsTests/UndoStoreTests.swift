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

    @Test("O16: only so many changes of so many days are remembered")
    func bounds() async throws {
        let now = Date.now
        try await store.add(change("old", at: now.addingTimeInterval(-UndoStore.longestSeconds - 1)), at: now)
        #expect(try await store.last(at: now) == nil)
        for number in 0..<UndoStore.mostChanges + 5 { try await store.add(change("\(number)", at: now), at: now) }
        let count = try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM undoable_change") ?? 0
        }
        #expect(count == UndoStore.mostChanges)
        #expect(try await store.last(at: now)?.id == "\(UndoStore.mostChanges + 4)")
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
