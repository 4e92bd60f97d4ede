import Foundation
import HostTesting
import Testing

@testable import Rights

@Suite struct SealedBookmarkTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let bookmarks: BookmarkStore

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        bookmarks = BookmarkStore(database: database)
    }

    @Test("G4: a row needs a sufficient right, and equal bookmarks share a row")
    func makesRows() async throws {
        let store = try await GrantStore(database: database)
        let grant = try await store.record(writer, document("a"), .read, origin: .open)
        await #expect(throws: AccessError.notGranted) {
            try await bookmarks.makeRow(writer, document("a"), .readWrite, grant: grant.id, seal: "k")
        }
        await #expect(throws: AccessError.notGranted) {
            try await bookmarks.makeRow(viewer, document("a"), .read, grant: grant.id, seal: "k")
        }
        // SQLite would cut it at the NUL, where it names the document above (F2).
        await #expect(throws: AccessError.notGranted) {
            try await bookmarks.makeRow(writer, document("a\u{0}"), .read, grant: grant.id, seal: "k")
        }
        let made = try await bookmarks.makeRow(writer, document("a"), .read, grant: grant.id, seal: "k")
        #expect(made.item == document("a"))
        #expect(try await bookmarks.makeRow(writer, document("a"), .read, grant: grant.id, seal: "k").row == made.row)
        #expect(try await bookmarks.makeRow(writer, document("a"), .read, grant: grant.id, seal: "l").row != made.row)
        #expect(try await bookmarks.sealedCount(except: "k") == 1)
        #expect(try await bookmarks.sealedCount(except: nil) == 2)
        let row = try #require(try await bookmarks.row(made.row))
        #expect(row.principal == writer && row.item == document("a") && !row.isStale)
        // Its name is no token of the older kind.
        await #expect(throws: AccessError.bookmarkUnusable) {
            try await bookmarks.resolve("b1-" + (made.row + Data(count: 32)).base64EncodedString(), writer)
        }
    }

    @Test("I3: a row ends with the right that it was made from, and a new right does not revive it")
    func revoked() async throws {
        let store = try await GrantStore(database: database)
        let folder = try await store.record(writer, document("folder"), .read, origin: .open)
        let made = try await bookmarks.makeRow(writer, document("a"), .read, grant: folder.id, seal: "k")
        #expect(try await bookmarks.row(made.row)?.item == document("a"))
        try await store.revoke(GrantFilter(principal: writer, item: document("folder")))
        #expect(try await bookmarks.row(made.row) == nil)
        let again = try await store.record(writer, document("folder"), .read, origin: .open)
        let fresh = try await bookmarks.makeRow(writer, document("a"), .read, grant: again.id, seal: "k")
        #expect(try await bookmarks.row(made.row) == nil)
        #expect(try await bookmarks.row(fresh.row)?.item == document("a"))
    }

    @Test("G5: a row follows its document to another identifier and is then stale")
    func rebound() async throws {
        let store = try await GrantStore(database: database)
        let grant = try await store.record(writer, document("old"), .read, origin: .open)
        let made = try await bookmarks.makeRow(writer, document("old"), .read, grant: grant.id, seal: "k")
        try await store.rebind(document("old"), to: document("new"))
        let row = try #require(try await bookmarks.row(made.row))
        #expect(row.item == document("new") && row.isStale)
        let fresh = try await bookmarks.makeRow(writer, document("new"), .read, grant: grant.id, seal: "k")
        #expect(fresh.row != made.row)
        #expect(try await bookmarks.row(fresh.row)?.isStale == false)
    }

    @Test("the key's place is remembered, and the key's name is created once")
    func keyPlace() async throws {
        #expect(try await bookmarks.keyPlace() == nil)
        try await bookmarks.setKeyPlace(.file)
        try await bookmarks.setKeyPlace(.keyring)
        #expect(try await bookmarks.keyPlace() == .keyring)
        let name = try await bookmarks.keyName()
        #expect(name.count == 16)
        #expect(try await bookmarks.keyName() == name)
    }
}
