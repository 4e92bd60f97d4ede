import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

@Suite struct RekeyTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let index: ItemIndex

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        index = ItemIndex(database: database)
    }

    @Test("F1: copy, pin, grants, bookmarks, changes and versions of a provisional document move to its identifier")
    func everything() async throws {
        let (old, new) = (remote("p"), remote("17"))
        let (journal, grants) = (OperationJournal(database: database), try await GrantStore(database: database))
        let (bookmarks, kept) = (BookmarkStore(database: database), KeptVersionStore(database: database))
        let partials = PartialDownloadStore(database: database)
        try await index.insertProvisional(entry("p"), provider: provider, domain: "work")
        try await index.setLocal(old, LocalCopy(name: "p.txt", version: "local-op", size: 3))
        try await index.setPinned([old], true)
        try await grants.record(writer, old, .readWrite, origin: .write)
        let bookmark = try await bookmarks.create(writer, old, .readWrite)
        let operation = try await journal.begin(
            OperationRequest(write: old, operation: "o", principal: writer, baseVersion: nil))
        try await journal.staged(operation.id, digest: "d", size: 3, baseVersion: nil)
        try await journal.published(operation.id, item: "p")
        try await kept.add(version("v", of: old))
        try await partials.save(PartialDownload(key: old, file: "f", version: "1", completed: 1, total: 2))

        for _ in 0..<2 {
            try await index.rekey(old, to: entry("17", name: "final.txt"))
            try await grants.rekeyed(from: old, to: new)
            let item = try await index.item(new)
            #expect(item?.local == LocalCopy(name: "p.txt", version: "local-op", size: 3))
            #expect(item?.isPinned == true && item?.isProvisional == false)
            #expect(item?.description.name == "final.txt")
            #expect(try await index.item(old) == nil)
            #expect(try await index.alias(of: old) == new)
            for store in [grants, try await GrantStore(database: database)] {
                #expect(store.check(writer, old, .read) == nil)
                #expect(store.check(writer, new, .readWrite) != nil)
            }
            let resolved = try await bookmarks.resolve(bookmark, writer)
            #expect(resolved == BookmarkResolution(item: new, access: .readWrite, isStale: true))
            #expect(try await journal.unsent(of: new).map(\.id) == [operation.id])
            #expect(try await journal.version(of: new) == 1)
            #expect(try await kept.list(of: new).map(\.id) == ["v"])
            #expect(try await partials.partial(new)?.file == "f")
        }
    }

    @Test("G7: if both keys have grants of one principal, the wider one remains and every bookmark stays")
    func mergedGrants() async throws {
        let (old, new) = (remote("p"), remote("17"))
        let grants = try await GrantStore(database: database)
        let bookmarks = BookmarkStore(database: database)
        try await grants.record(writer, old, .readWrite, origin: .write)
        let kept = try await grants.record(writer, new, .read, origin: .open)
        try await grants.record(viewer, old, .read, origin: .open)
        let wide = try await grants.record(viewer, new, .readWrite, origin: .open)
        let other = try await grants.record(viewer, remote("other"), .read, origin: .open)
        let tokens = [
            try await bookmarks.create(writer, old, .readWrite), try await bookmarks.create(writer, new, .read),
        ]
        try await index.rekey(old, to: entry("17"))
        try await grants.rekeyed(from: old, to: new)
        for store in [grants, try await GrantStore(database: database)] {
            #expect(store.grants().map(\.id) == [kept.id, wide.id, other.id])
            #expect(store.check(writer, new, .readWrite) != nil && store.check(viewer, new, .readWrite) != nil)
            #expect(store.grants(GrantFilter(item: old)).isEmpty)
        }
        #expect(try await bookmarks.resolve(tokens[0], writer).item == new)
        #expect(try await bookmarks.resolve(tokens[0], writer).isStale)
        #expect(try await bookmarks.resolve(tokens[1], writer).isStale == false)
    }

    @Test("F1: a listing's information about the new identifier is merged with ours")
    func joined() async throws {
        try await index.insertProvisional(entry("p", folder: true), provider: provider, domain: "work")
        try await index.merge([entry("c", parent: "p")], provider: provider, domain: "work")
        try await index.merge([entry("17", folder: true, version: "0")], provider: provider, domain: "work")
        try await index.setPinned([remote("17")], true)
        try await index.rekey(remote("p"), to: entry("17", folder: true, version: "1"))
        let item = try await index.item(remote("17"))
        #expect(item?.isPinned == true && item?.description.version == "1")
        #expect(try await index.children(of: remote("17"), after: nil, limit: 9).map(\.key) == [remote("c")])
    }

    @Test("F1: the copy in the new identifier's folder is recorded in the same step")
    func moved() async throws {
        try await index.insertProvisional(entry("p"), provider: provider, domain: "work")
        try await index.setLocal(remote("p"), LocalCopy(name: "old", version: "local-1", size: 1))
        let copy = LocalCopy(name: "new", version: "local-1", size: 1)
        try await index.rekey(remote("p"), to: entry("17"), local: copy)
        #expect(try await index.item(remote("17"))?.local == copy)
    }

    @Test("F1: aliases lead to the last identifier, and never form a cycle")
    func aliases() async throws {
        try await index.merge([entry("a")], provider: provider, domain: "work")
        for next in ["b", "c", "a", "b"] {
            let now = try await index.descendants(of: remote(".root")).first?.key
            try await index.rekey(try #require(now), to: entry(next))
        }
        #expect(try await index.alias(of: remote("a")) == remote("b"))
        #expect(try await index.alias(of: remote("c")) == remote("b"))
        #expect(try await index.alias(of: remote("b")) == nil)
        try await index.rekey(remote("b"), to: entry("b", name: "same"))
        #expect(try await index.alias(of: remote("b")) == nil)
        #expect(try await index.item(remote("b"))?.description.name == "same")
    }

    @Test("F1: only this item's rows move, compared byte for byte and in this domain")
    func others() async throws {
        let journal = OperationJournal(database: database)
        let look = ["e\u{301}", "\u{E9}"]
        for text in look { try await index.merge([entry(text)], provider: provider, domain: "work") }
        try await index.merge([entry(look[0])], provider: provider, domain: "home")
        let elsewhere = ItemKey(provider: provider, domain: "home", identifier: look[0])
        let operation = try await journal.begin(
            OperationRequest(write: elsewhere, operation: "o", principal: writer, baseVersion: nil))
        try await index.rekey(remote(look[0]), to: entry("new"))
        #expect(try await index.item(remote(look[1])) != nil)
        #expect(try await index.item(remote(look[0])) == nil)
        #expect(try await index.item(elsewhere) != nil)
        #expect(try await journal.operation(operation.id)?.itemKey == elsewhere)
        #expect(remote(look[0]) != remote(look[1]))
    }
}
