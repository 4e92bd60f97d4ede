import Foundation
import GRDB
import HostTesting
import Testing

@testable import Rights

@Suite struct BookmarkStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    @Test("G5: a bookmark survives a restart and gives its document and access")
    func survives() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        let narrow = try await BookmarkStore(database: database).create(writer, document("a"), .read)
        let wide = try await BookmarkStore(database: database).create(writer, document("a"), .readWrite)
        #expect(narrow != wide)
        try database.close()
        let bookmarks = BookmarkStore(database: try HostDatabase(directory: directory.path))
        let expected = BookmarkResolution(item: document("a"), access: .read, isStale: false)
        #expect(try await bookmarks.resolve(narrow, writer) == expected)
        #expect(try await bookmarks.resolve(wide, writer).access == .readWrite)
    }

    @Test("G4: a token and a row as the first format version wrote them give their document")
    func firstFormat() async throws {
        let grant = try await GrantStore(database: database).record(writer, document("a"), .readWrite, origin: .open)
        let (name, secret) = (Data(repeating: 0x6E, count: 16), Data(repeating: 0x73, count: 32))
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO bookmarks (id, secret, grant_id, access, created) VALUES (?, ?, ?, 'read', 0)",
                arguments: [name, secret, grant.id])
        }
        // "b1-" and the bytes of both in base 64.
        let token = "b1-" + String(repeating: "bm5u", count: 5) + "bnNz" + String(repeating: "c3Nz", count: 10)
        let expected = BookmarkResolution(item: document("a"), access: .read, isStale: false)
        #expect(try await BookmarkStore(database: database).resolve(token, writer) == expected)
    }

    @Test("G4: a bookmark holds at most the granted access")
    func needsGrant() async throws {
        let bookmarks = BookmarkStore(database: database)
        await #expect(throws: AccessError.notGranted) { try await bookmarks.create(writer, document("a"), .read) }
        try await GrantStore(database: database).record(writer, document("a"), .read, origin: .open)
        await #expect(throws: AccessError.notGranted) { try await bookmarks.create(writer, document("a"), .readWrite) }
    }

    @Test("G8: another principal, even with the same identifier, learns nothing from a bookmark")
    func otherPrincipals() async throws {
        let store = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        let token = try await bookmarks.create(writer, document("a"), .readWrite)
        var strangers = [viewer]
        strangers += Principal.Kind.allCases.filter { $0 != writer.kind }
            .map { Principal(kind: $0, identifier: writer.identifier) }
        for stranger in strangers {
            await #expect(throws: AccessError.bookmarkUnusable) { try await bookmarks.resolve(token, stranger) }
        }
    }

    @Test("G8: a token that was changed anywhere, truncated or invented is refused like an unknown one")
    func forgery() async throws {
        let store = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        let token = try await bookmarks.create(writer, document("a"), .readWrite)
        #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        var forgeries = ["", "b1-", "b1-AAAA", token + "=", token + "A", " " + token, String(token.dropLast())]
        for index in token.indices {
            let other: Character = token[index] == "A" ? "B" : "A"
            forgeries.append(token.replacingCharacters(in: index...index, with: String(other)))
        }
        for forgery in forgeries {
            await #expect(throws: AccessError.bookmarkUnusable) { try await bookmarks.resolve(forgery, writer) }
        }
        #expect(try await bookmarks.resolve(token, writer).item == document("a"))
    }

    @Test("I3: revoking a grant ends its bookmarks permanently, even if it is granted again")
    func revocation() async throws {
        let store = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        for item in ["a", "b"] { try await store.record(writer, document(item), .read, origin: .open) }
        let ended = try await bookmarks.create(writer, document("a"), .read)
        let other = try await bookmarks.create(writer, document("b"), .read)
        try await store.revoke(GrantFilter(principal: writer, item: document("a")))
        try await store.record(writer, document("a"), .read, origin: .open)
        await #expect(throws: AccessError.bookmarkUnusable) { try await bookmarks.resolve(ended, writer) }
        #expect(try await bookmarks.resolve(other, writer).item == document("b"))
    }

    @Test("G5: after a confirmed change of identifier a bookmark leads to the document and says that it is stale")
    func staleness() async throws {
        let store = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        try await store.record(writer, document("old.txt"), .read, origin: .open)
        let token = try await bookmarks.create(writer, document("old.txt"), .read)
        try await store.rebind(document("old.txt"), to: document("new.txt"))
        let expected = BookmarkResolution(item: document("new.txt"), access: .read, isStale: true)
        #expect(try await bookmarks.resolve(token, writer) == expected)
        let fresh = try await bookmarks.create(writer, document("new.txt"), .read)
        #expect(try await bookmarks.resolve(fresh, writer).isStale == false)
    }
}
