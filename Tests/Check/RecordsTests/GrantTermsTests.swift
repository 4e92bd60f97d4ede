import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// How long rights last, which companions they cover, and how they end.
@Suite struct GrantTermsTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let start = Date(timeIntervalSince1970: 2_000_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    func reopened() async throws -> GrantStore {
        try await GrantStore(database: HostDatabase(directory: directory.path))
    }

    func events(_ principal: Principal = writer) async throws -> [String] {
        let audit = AuditLog(database: database)
        try await audit.flush()
        return try await audit.entries(GrantFilter(principal: principal)).reversed().map {
            $0.event.rawValue + ($0.detail.isEmpty ? "" : ": " + $0.detail)
        }
    }

    @Test("the user's offer is stored, and a later offer only widens it")
    func merging() async throws {
        let store = try await GrantStore(database: database)
        let srt = try CompanionPattern("{stem}.srt")
        let jpg = try CompanionPattern("*.jpg")
        let first = try await store.record(
            writer, document("a"),
            GrantOffer(
                access: .read, origin: .open, isPersistent: false, isPersistable: false,
                expires: start.addingTimeInterval(60), companions: [srt]), executable: "/bin/one")
        #expect(!first.isPersistent && !first.isPersistable && first.companions == [srt])
        #expect(first.expires == start.addingTimeInterval(60))
        let longer = try await store.record(
            writer, document("a"),
            GrantOffer(
                access: .read, origin: .open, isPersistent: false, expires: start.addingTimeInterval(90),
                companions: [jpg]))
        #expect(longer.id == first.id && longer.isPersistable && longer.companions == [srt, jpg])
        #expect(longer.expires == start.addingTimeInterval(90) && longer.executable == "/bin/one")
        let shorter = try await store.record(
            writer, document("a"), GrantOffer(access: .read, origin: .open, isPersistent: false, expires: start))
        #expect(shorter == longer)
        let lasting = try await store.record(writer, document("a"), .readWrite, origin: .move)
        #expect(lasting.isPersistent && lasting.expires == nil && lasting.access == .readWrite)
        #expect(lasting.origin == .move && lasting.companions == [srt, jpg])
        for store in [store, try await reopened()] { #expect(store.grants() == [lasting]) }
    }

    @Test("a transient right can be made persistent if that was offered")
    func taking() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(writer, document("a"), GrantOffer(access: .read, origin: .open, isPersistent: false))
        try await store.record(
            writer, document("b"), GrantOffer(access: .read, origin: .open, isPersistent: false, isPersistable: false))
        #expect(store.principalsWithTransient == [writer])
        #expect(try await store.take(writer, document("a")).isPersistent)
        try await store.take(writer, document("a"))
        await #expect(throws: AccessError.notPersistable) { try await store.take(writer, document("b")) }
        await #expect(throws: AccessError.notGranted) { try await store.take(writer, document("c")) }
        await #expect(throws: AccessError.notGranted) { try await store.take(viewer, document("a")) }
        let again = try await reopened()
        #expect(again.check(writer, document("b"), .read) != nil, "it survives a restart")
        #expect(try await store.endTransient(of: viewer).isEmpty)
        #expect(try await store.endTransient(of: writer).map(\.item) == [document("b")])
        #expect(store.principalsWithTransient.isEmpty)
        for store in [store, try await reopened()] { #expect(store.grants().map(\.item) == [document("a")]) }
        #expect(
            try await events() == [
                "granted: open", "granted: open", "taken", "expired: the client ended",
            ])
    }

    @Test("an expired right allows nothing from that moment, and is swept and recorded")
    func expiry() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(
            writer, document("past"), GrantOffer(access: .read, origin: .open, expires: .now.addingTimeInterval(-1)))
        try await store.record(
            writer, document("later"), GrantOffer(access: .read, origin: .open, expires: .now.addingTimeInterval(3600)))
        try await store.record(writer, document("never"), .read, origin: .open)
        #expect(store.check(writer, document("past"), .read) == nil, "before it is swept")
        #expect(store.grant(of: writer, to: document("past")) == nil)
        #expect(store.check(writer, document("later"), .read) != nil)
        await #expect(throws: AccessError.notGranted) { try await store.take(writer, document("past")) }
        #expect(try await store.expire().map(\.item) == [document("past")])
        #expect(try await store.expire().isEmpty)
        #expect(try await store.expire(at: .now.addingTimeInterval(7200)).map(\.item) == [document("later")])
        #expect(try await reopened().grants().map(\.item) == [document("never")])
        #expect(try await events().suffix(2) == ["expired: it expired", "expired: it expired"])
    }

    @Test("a new choice after a right has ended gives a new right, with nothing of the old one")
    func choosingAnew() async throws {
        let store = try await GrantStore(database: database)
        let old = try await store.record(
            writer, document("a"),
            GrantOffer(
                access: .readWrite, origin: .open, expires: .now.addingTimeInterval(-1),
                companions: [try CompanionPattern("*.srt")]))
        let new = try await store.record(writer, document("a"), .read, origin: .open)
        #expect(new.id > old.id && new.access == .read && new.companions.isEmpty && new.expires == nil)
        #expect(store.check(writer, document("a"), .readWrite) == nil)
        #expect(try await reopened().grants() == [new])
    }

    @Test("a client can narrow its right or return it, but never widen it")
    func narrowing() async throws {
        let store = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        let bookmark = try await bookmarks.create(writer, document("a"), .readWrite)
        let former = try await store.narrow(writer, document("a"), to: .read)
        #expect(former?.access == .readWrite)
        #expect(store.check(writer, document("a"), .readWrite) == nil)
        #expect(store.check(writer, document("a"), .read) != nil)
        #expect(try await bookmarks.resolve(bookmark, writer).access == .read)
        #expect(try await store.narrow(writer, document("a"), to: .read) == nil)
        await #expect(throws: AccessError.notGranted) { try await store.narrow(writer, document("a"), to: .readWrite) }
        await #expect(throws: AccessError.notGranted) { try await store.narrow(viewer, document("a"), to: nil) }
        #expect(try await reopened().check(writer, document("a"), .readWrite) == nil)
        try await store.narrow(writer, document("a"), to: nil)
        await #expect(throws: AccessError.bookmarkUnusable) { try await bookmarks.resolve(bookmark, writer) }
        for store in [store, try await reopened()] { #expect(store.grants().isEmpty) }
        // The user can widen it again.
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        #expect(store.check(writer, document("a"), .readWrite) != nil)
    }

    @Test(
        "rights can be revoked by client, kind, provider, item, number and age",
        arguments: [
            (GrantFilter(clientIdentifier: "same"), ["a", "b"]), (GrantFilter(kind: .snap), ["b"]),
            (GrantFilter(clientIdentifier: "same", kind: .snap), ["b"]),
            (GrantFilter(createdBefore: Date(timeIntervalSince1970: 2_000_000_000)), ["a"]),
            (GrantFilter(provider: "p2", createdBefore: Date(timeIntervalSince1970: 3_000_000_000)), ["c"]),
            (GrantFilter(id: 2), ["b"]), (GrantFilter(kind: .unknown), []), (GrantFilter(), ["a", "b", "c"]),
        ])
    func filters(filter: GrantFilter, expected: [String]) async throws {
        let store = try await GrantStore(database: database)
        let old = start.addingTimeInterval(-1)
        try await store.record(
            Principal(kind: .flatpak, identifier: "same"), ItemKey(provider: "p1", identifier: "a"), .read,
            origin: .open, at: old)
        try await store.record(
            Principal(kind: .snap, identifier: "same"), ItemKey(provider: "p1", identifier: "b"), .read, origin: .open,
            at: start)
        try await store.record(
            Principal(kind: .run, identifier: "other"), ItemKey(provider: "p2", identifier: "c"), .read,
            origin: .open, at: start)
        #expect(store.grants(filter).map(\.item.identifier) == expected)
        #expect(try await store.page(filter, limit: 10).grants == store.grants(filter))
        #expect(try await store.revoke(filter).map(\.item.identifier) == expected)
        #expect(store.count == 3 - expected.count)
    }

    @Test("pages contain every right once, in order, while others are added and removed")
    func pages() async throws {
        let store = try await GrantStore(database: database)
        for number in 0..<25 { try await store.record(writer, document("\(number)"), .read, origin: .open) }
        try await store.record(viewer, document("0"), .read, origin: .open)
        var found: [String] = []
        var after: Int64?
        repeat {
            let page = try await store.page(GrantFilter(principal: writer), after: after, limit: 10)
            found += page.grants.map(\.item.identifier)
            after = page.next
            if found.count == 10 {
                try await store.revoke(GrantFilter(item: document("3")))
                try await store.revoke(GrantFilter(item: document("10")))
            }
        } while after != nil
        #expect(found == (0..<25).map(String.init).filter { $0 != "10" })
        #expect(try await store.page(GrantFilter(), after: 1000, limit: 10).grants.isEmpty)
    }

    @Test("F1: when two identifiers become one document, the wider part of each right remains")
    func rekeying() async throws {
        let index = ItemIndex(database: database)
        let store = try await GrantStore(database: database)
        let (old, new) = (remote("p"), remote("17"))
        try await index.insertProvisional(entry("p"), provider: provider, domain: "work")
        try await store.record(
            writer, old,
            GrantOffer(access: .readWrite, origin: .open, expires: start, companions: [try CompanionPattern("*.srt")]))
        try await store.record(
            writer, new,
            GrantOffer(
                access: .read, origin: .open, isPersistent: false, isPersistable: false,
                expires: start.addingTimeInterval(5), companions: [try CompanionPattern("*.ass")]))
        try await store.record(
            viewer, old, GrantOffer(access: .read, origin: .open, isPersistent: false, expires: start))
        try await index.rekey(old, to: entry("17"))
        try await store.rekeyed(from: old, to: new)
        for store in [store, try await reopened()] {
            let merged = try #require(store.grant(of: writer, to: new))
            #expect(merged.access == .readWrite && merged.isPersistent && merged.isPersistable)
            #expect(merged.expires == start.addingTimeInterval(5))
            #expect(Set(merged.companions.map(\.text)) == ["*.srt", "*.ass"])
            let moved = try #require(store.grant(of: viewer, to: new))
            #expect(!moved.isPersistent && moved.expires == start)
            #expect(store.grant(of: writer, to: old) == nil && store.count == 2)
        }
        #expect(store.principalsWithTransient == [viewer])
    }

    @Test("companions of a client are found by their account, and follow a change of identifier")
    func companions() async throws {
        let store = try await GrantStore(database: database)
        let offer = GrantOffer(access: .read, origin: .open, companions: [try CompanionPattern("*.srt")])
        try await store.record(writer, document("a"), offer)
        try await store.record(writer, document("b"), .read, origin: .open)
        try await store.record(writer, ItemKey(provider: "other", identifier: "a"), offer)
        #expect(store.companions(of: writer, in: document("x")).map(\.item) == [document("a")])
        #expect(store.companions(of: viewer, in: document("x")).isEmpty)
        try await store.rebind(document("a"), to: document("c"))
        #expect(store.companions(of: writer, in: document("x")).map(\.item) == [document("c")])
        try await store.revoke(GrantFilter(item: document("c")))
        #expect(store.companions(of: writer, in: document("x")).isEmpty)
    }

    @Test("F2: a name with a NUL, where SQLite would cut it, matches no client and no document")
    func namesWithNul() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(writer, document("a"), .readWrite, origin: .open)
        let cut = Principal(kind: writer.kind, identifier: writer.identifier + "\0")
        for (principal, item) in [(writer, document("a\0b")), (cut, document("a"))] {
            await #expect(throws: AccessError.self) { try await store.take(principal, item) }
            await #expect(throws: AccessError.self) { try await store.narrow(principal, item, to: .read) }
            await #expect(throws: AccessError.self) { try await store.record(principal, item, .read, origin: .open) }
        }
        let filters = [
            GrantFilter(principal: cut), GrantFilter(clientIdentifier: cut.identifier),
            GrantFilter(provider: "org.docent.test\0"), GrantFilter(item: document("a\0")),
        ]
        for filter in filters { #expect(try await store.revoke(filter).isEmpty) }
        #expect(try await reopened().check(writer, document("a"), .readWrite) != nil)
    }
}
