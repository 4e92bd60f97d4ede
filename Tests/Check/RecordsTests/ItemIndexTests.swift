import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

@Suite struct ItemIndexTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let index: ItemIndex
    let start = Date(milliseconds: 1_700_000_000_000)
    let root = remote(ItemKey.rootIdentifier)

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        index = ItemIndex(database: database)
    }

    @discardableResult
    func list(
        _ descriptions: [ItemDescription], in folder: String = ".root", protected: Set<BytewiseText> = [],
        accept: Bool = false, at moment: Date? = nil
    ) async throws -> ListingOutcome {
        try await index.replaceListing(
            of: remote(folder), with: descriptions, protected: protected, accept: accept, at: moment ?? start)
    }

    @Test("a provider's description is stored completely and returned unchanged")
    func roundTrip() async throws {
        let full = ItemDescription(
            identifier: "a", parent: ".root", name: "Ä report.txt", contentType: "public.plain-text", size: 1 << 40,
            modificationDate: 1.25, creationDate: -3.5, isFolder: false, version: "\"v1\"",
            capabilities: ["read", "write"], thumbnail: "thumb:1", symbolicLinkTarget: "Ä\"")
        let plain = ItemDescription(
            identifier: "b", parent: ".root", name: "", isFolder: true, capabilities: [], ignoresCase: true)
        let merged = try await index.merge([full, plain], provider: provider, domain: "work", at: start)
        #expect(merged.map(\.item.description) == [full, plain])
        #expect(merged.allSatisfy { !$0.changed && $0.item.checked == start })
        for item in merged.map(\.item) { #expect(try await index.item(item.key) == item) }
        #expect(try await index.item(remote("c")) == nil)
        let elsewhere = ItemKey(provider: provider, domain: "home", identifier: "a")
        #expect(try await index.item(elsewhere) == nil)
    }

    @Test(
        "a content change is recognised by the version, or without versions by size and date",
        arguments: [
            ("1", "2", 5, 5, true), ("1", "1", 5, 9, false), (nil, nil, 5, 5, false), (nil, nil, 5, 6, true),
            (nil, "1", 5, 5, true), ("1", nil, 5, 5, true), ("\u{E9}", "e\u{301}", 5, 5, true),
        ] as [(String?, String?, Int64, Int64, Bool)])
    func changes(old: String?, new: String?, oldSize: Int64, newSize: Int64, changed: Bool) async throws {
        try await list([entry("a", version: old, size: oldSize)])
        try await index.setLocal(remote("a"), LocalCopy(name: "a", version: old, size: oldSize))
        try await index.setPinned([remote("a")], true)
        let merged = try await index.merge(
            [entry("a", version: new, size: newSize)], provider: provider, domain: "work", at: start + 1)
        #expect(merged.first?.changed == changed)
        #expect(merged.first?.item.local == LocalCopy(name: "a", version: old, size: oldSize))
        #expect(merged.first?.item.isPinned == true)
        let outcome = try await list([entry("a", version: old, size: oldSize)])
        #expect(outcome.changed.map(\.key) == (changed ? [remote("a")] : []) && outcome.added == 0)
    }

    @Test("HAZARDS 5: an answer does not replace newer information than its question")
    func lateAnswer() async throws {
        let now = Date.now
        try await index.confirm(entry("a", version: "2"), of: remote("a"), former: nil, copy: nil, at: now - 5)
        let late = try await index.replaceListing(
            of: root, with: [entry("a", version: "1"), entry("b")], at: now - 10, isAnswer: true)
        #expect(late.changed.isEmpty && late.removed.isEmpty && late.added == 1)
        let merged = try await index.merge(
            [entry("a", version: "1")], provider: provider, domain: "work", at: now - 10, isAnswer: true)
        #expect(merged.map(\.item.description.version) == ["2"] && merged.map(\.changed) == [false])
        // Asked for later, it is newer.
        let next = try await index.merge(
            [entry("a", version: "3")], provider: provider, domain: "work", at: now - 4, isAnswer: true)
        #expect(next.map(\.changed) == [true])
        // After the clock was set back, information from the future may be of any age.
        try await index.confirm(entry("a", version: "4"), of: remote("a"), former: nil, copy: nil, at: now + 1_000)
        let back = try await index.merge(
            [entry("a", version: "5")], provider: provider, domain: "work", at: now, isAnswer: true)
        #expect(back.map(\.item.description.version) == ["5"])
    }

    @Test("children are listed by name in byte order, page by page, without duplicates or gaps")
    func pages() async throws {
        var names = (0..<95).map { "n\($0 % 40)" } + ["Z", "a", "é", "e\u{301}", "\u{10FFFF}", "😀", "\u{1}", ""]
        names.shuffle()
        try await list(names.enumerated().map { entry("\($0.offset)", name: $0.element) })
        for limit in [1, 3, 50, 1000] {
            var seen: [RemoteItem] = []
            var last: String?
            while true {
                let page = try await index.children(of: root, after: last, limit: limit)
                guard let end = page.last else { break }
                seen += page
                last = end.description.name
            }
            #expect(Set(seen.map(\.key)).count == names.count && seen.count == names.count)
            let found = seen.map { Array($0.description.name.utf8) }
            #expect(found == found.sorted { $0.lexicographicallyPrecedes($1) })
        }
        let composed = try await index.child(named: "\u{E9}", of: root)
        #expect(composed?.description.name.utf8.count == 2)
        #expect(try await index.child(named: "n41", of: root) == nil)
    }

    @Test("a complete listing removes missing items and everything below, but no provisional or protected item")
    func listings() async throws {
        try await list([entry("f", folder: true), entry("d"), entry("kept")])
        try await list([entry("f1"), entry("f2", folder: true)], in: "f")
        try await list([entry("f21"), entry("f22")], in: "f2")
        try await index.insertProvisional(entry("new", parent: "f2"), provider: provider, domain: "work")
        try await index.insertProvisional(entry("top"), provider: provider, domain: "work")
        try await index.setLocal(remote("f1"), LocalCopy(name: "f1", version: "1", size: 7))
        let outcome = try await list([entry("d"), entry("e")], protected: ["f22", "kept"], at: start + 9)
        #expect(Set(outcome.removed.map(\.key.identifier)) == ["f", "f1", "f2", "f21"])
        #expect(outcome.removed.first { $0.key.identifier == "f1" }?.local?.size == 7)
        #expect(outcome.added == 1 && outcome.held == nil && outcome.changed.isEmpty)
        for identifier in ["new", "top", "f22", "kept", "d", "e"] {
            #expect(try await index.item(remote(identifier)) != nil, "\(identifier)")
        }
        #expect(try await index.item(root)?.listed == start + 9)
        #expect(
            try await index.children(of: root, after: nil, limit: 9).map(\.key.identifier) == ["d", "e", "kept", "top"])
    }

    @Test(
        "a listing that lacks more than half of at least fifty items is held until it is accepted",
        arguments: [(49, 0, false), (50, 24, true), (50, 25, false), (200, 0, true), (200, 100, false)])
    func shrinking(known: Int, left: Int, isHeld: Bool) async throws {
        let entries = (0..<known).map { entry("\($0)") }
        try await list(entries)
        let shrunk = Array(entries.prefix(left)) + [entry("new")]
        let outcome = try await list(shrunk, at: start + 1)
        #expect((outcome.held != nil) == isHeld && outcome.added == 1)
        #expect(outcome.removed.count == (isHeld ? 0 : known - left))
        let held = HeldListing(folder: root, before: known, after: left + 1, since: start + 1)
        #expect(try await index.heldListings(provider: provider, domain: "work") == (isHeld ? [held] : []))
        guard isHeld else { return }
        let again = try await list(shrunk, at: start + 2)
        #expect(again.held?.since == start + 1 && again.removed.isEmpty)
        #expect(try await list(shrunk, accept: true).removed.count == known - left)
        #expect(try await index.heldListings(provider: provider, domain: "work").isEmpty)
    }

    @Test("a complete listing ends the hold")
    func recovered() async throws {
        let entries = (0..<60).map { entry("\($0)") }
        try await list(entries)
        #expect(try await list([]).held != nil)
        let outcome = try await list(entries)
        #expect(outcome.held == nil && outcome.removed.isEmpty && outcome.added == 0)
        #expect(try await index.heldListings(provider: provider, domain: "work").isEmpty)
    }

    @Test("an item that is confirmed gone goes with all below; a protected folder stays with its contents")
    func removal() async throws {
        try await list([entry("f", folder: true)])
        try await list([entry("g", folder: true), entry("h", folder: true), entry("i")], in: "f")
        try await list([entry("g1")], in: "g")
        try await list([entry("h1")], in: "h")
        #expect(try await index.remove(remote("f"), protected: ["f"]).isEmpty)
        let removed = try await index.remove(remote("f"), protected: ["g"])
        #expect(Set(removed.map(\.key.identifier)) == ["f", "h", "h1", "i"])
        #expect(try await index.item(remote("g1")) != nil)
        #expect(try await index.remove(remote("f")).isEmpty)
        try await index.insertProvisional(entry("p"), provider: provider, domain: "work")
        #expect(try await index.remove(remote("p")).first?.isProvisional == true)
        #expect(try await index.item(remote("p")) == nil)
    }

    @Test("O1, O2: copies are listed least recently used first, with their bytes; pins and use are recorded")
    func copies() async throws {
        try await list(["a", "b", "c", "d"].map { entry($0) } + [entry("f", folder: true)])
        for (name, size) in [("a", 10), ("b", 20), ("c", 30)] as [(String, Int64)] {
            try await index.setLocal(remote(name), LocalCopy(name: name, version: "1", size: size))
        }
        try await index.markUsed([remote("a"): start + 5, remote("b"): start + 2, remote("f"): start + 3])
        try await index.markUsed([remote("a"): start + 1, remote("gone"): start])
        #expect(try await index.localCopies().map(\.key.identifier) == ["c", "b", "a"])
        #expect(try await index.localCopies(provider: provider, domain: "home").isEmpty)
        #expect(try await index.localBytes(provider: provider, domain: "work") == 60)
        try await index.setLocal(remote("c"), nil)
        #expect(try await index.localBytes(provider: provider, domain: "work") == 30)
        try await index.setPinned([remote("a"), remote("d"), remote("gone")], true)
        try await index.setPinned([remote("d")], false)
        #expect(try await index.pinned(provider: provider, domain: "work").map(\.key.identifier) == ["a"])
        try await list([], in: "f")
        for (since, count) in [(start + 3, 1), (start + 4, 0)] {
            let folders = try await index.listedFolders(provider: provider, domain: "work", usedSince: since)
            #expect(folders.count == count)
        }
    }

    @Test("listings do not change a provisional item, only we do")
    func provisional() async throws {
        try await index.insertProvisional(entry("p", name: "one"), provider: provider, domain: "work")
        try await index.insertProvisional(entry("p", name: "two"), provider: provider, domain: "work")
        let merged = try await index.merge([entry("p", name: "three")], provider: provider, domain: "work")
        #expect(merged.first?.changed == false && merged.first?.item.description.name == "two")
        try await list([entry("q")])
        try await index.insertProvisional(entry("q", name: "other"), provider: provider, domain: "work")
        #expect(try await index.item(remote("q"))?.description.name == "q")
        try await list([entry("twin", name: "two")])
        #expect(try await index.child(named: "two", of: root)?.isProvisional == true)
    }

    @Test("Removing a domain removes its rows, and no other domain's")
    func domains() async throws {
        try await list([entry("a")])
        try await index.merge([entry("a")], provider: provider, domain: "home")
        try await index.setAnchor("7", provider: provider, domain: "work")
        try await index.setAnchor("8", provider: provider, domain: "home")
        #expect(try await index.anchor(provider: provider, domain: "work") == "7")
        try await index.removeDomain(provider: provider, domain: "work")
        #expect(try await index.anchor(provider: provider, domain: "work") == nil)
        #expect(try await index.anchor(provider: provider, domain: "home") == "8")
        #expect(try await index.descendants(of: root).isEmpty)
        #expect(try await index.item(ItemKey(provider: provider, domain: "home", identifier: "a")) != nil)
        try await index.setAnchor(nil, provider: provider, domain: "home")
        #expect(try await index.anchor(provider: provider, domain: "home") == nil)
    }

    @Test("W5: information that can be fetched again is written without waiting for the disk, later writes wait again")
    func durability() async throws {
        func synchronous() throws -> Int? {
            try database.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        try await index.merge([entry("a")], provider: provider, domain: "work")
        #expect(try synchronous() == 2)
        await #expect(throws: JournalError.unknownOperation) {
            try await database.writeRelearnable { database in
                try database.execute(sql: "DELETE FROM remote_item")
                throw JournalError.unknownOperation
            }
        }
        #expect(try synchronous() == 2)
        #expect(try await index.item(remote("a")) != nil)
    }

    @Test("ten thousand entries are merged, merged again and removed")
    func large() async throws {
        let entries = (0..<10_000).map { entry("id-\($0)", name: "document \($0).txt") }
        #expect(try await list(entries).added == 10_000)
        let again = try await list(
            entries.map { entry in
                var entry = entry
                entry.version = "2"
                return entry
            })
        #expect(again.changed.count == 10_000 && again.removed.isEmpty)
        #expect(try await index.merge(entries, provider: provider, domain: "work").count == 10_000)
        #expect(try await list([]).held?.before == 10_000)
        #expect(try await list([], accept: true).removed.count == 10_000)
    }
}
