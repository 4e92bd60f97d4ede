import Foundation
import HostTesting
import Testing

@testable import Records
@testable import Rights

@Suite struct HostileListingTests {
    let directory: TemporaryDirectory
    let index: ItemIndex
    let root = remote(ItemKey.rootIdentifier)

    init() throws {
        directory = try TemporaryDirectory()
        index = ItemIndex(database: try HostDatabase(directory: directory.path))
    }

    @discardableResult
    func list(_ folder: String, _ entries: [ItemDescription]) async throws -> ListingOutcome {
        try await index.replaceListing(of: remote(folder), with: entries)
    }

    @Test("law 4: every byte in a text is kept, and no two identifiers collide")
    func bytes() async throws {
        let scalars = (1...0x2FF).compactMap(Unicode.Scalar.init).map { String(Character($0)) }
        let texts =
            scalars + scalars.map { "e\($0)" } + ["../../etc", "%00", "'; DROP TABLE remote_item; --", "\u{FEFF}"]
        try await list(".root", texts.map { entry($0) })
        for text in texts {
            let item = try await index.item(remote(text))
            #expect(item.map { $0.description.name.utf8.elementsEqual(text.utf8) } == true)
        }
        #expect(try await index.children(of: root, after: nil, limit: 5000).count == texts.count)
        #expect(try await list(".root", []).held?.before == texts.count)
    }

    @Test("law 4: an entry without an identifier, or with a NUL anywhere, is left out and hides no other")
    func unusable() async throws {
        var thumbnail = entry("x3")
        thumbnail.thumbnail = "t\0"
        var capabilities = entry("x4")
        capabilities.capabilities = ["read\0"]
        let outcome = try await list(
            ".root",
            [
                entry(""), entry("a\0b"), entry("x1", name: "a\0"), entry("x2", version: "\0"), thumbnail, capabilities,
                entry("a"),
            ])
        #expect(outcome.added == 1)
        #expect(try await index.children(of: root, after: nil, limit: 9).map(\.key) == [remote("a")])
        #expect(try await index.item(remote("a\0b")) == nil)
        #expect(try await index.remove(remote("a\0b")).isEmpty)
        try await index.setLocal(remote("a\0b"), LocalCopy(name: "n", version: nil, size: 1))
        #expect(try await index.item(remote("a"))?.local == nil)
        for description in [entry(""), entry("a\0"), entry("b", name: "\0")] {
            await #expect(throws: IndexError.unusableDescription) {
                try await index.insertProvisional(description, provider: provider, domain: "work")
            }
            await #expect(throws: IndexError.unusableDescription) {
                try await index.rekey(remote("a"), to: description)
            }
        }
    }

    @Test("law 4: a listing cannot name its own folder, one above it, or the root")
    func ancestors() async throws {
        try await list(".root", [entry("f", folder: true)])
        try await list("f", [entry("g", folder: true)])
        let outcome = try await list("g", [entry("f", folder: true), entry("g"), entry(".root"), entry("ok")])
        #expect(outcome.added == 1)
        #expect(try await index.item(remote("f"))?.description.parent == ".root")
        #expect(try await index.descendants(of: root).count == 3)
    }

    @Test("law 4: an entry belongs to the listed folder, and a duplicate identifier is one item")
    func parents() async throws {
        let outcome = try await list(
            ".root", [entry("a", parent: "elsewhere"), entry("a", name: "again"), entry("b", parent: "b")])
        #expect(outcome.added == 2)
        let children = try await index.children(of: root, after: nil, limit: 9)
        #expect(children.map(\.description.name) == ["again", "b"])
        #expect(children.allSatisfy { $0.description.parent == ".root" })
    }

    @Test("law 4: a cycle of parents does not hang, and no item is removed by one below it")
    func circles() async throws {
        try await index.merge(
            [
                entry("a", parent: "c", folder: true), entry("b", parent: "a", folder: true),
                entry("c", parent: "b", folder: true), entry("self", parent: "self", folder: true),
            ], provider: provider, domain: "work")
        #expect(try await index.descendants(of: remote("a")).count == 2)
        #expect(try await index.descendants(of: remote("self")).isEmpty)
        #expect(try await index.children(of: remote("self"), after: nil, limit: 9).isEmpty)
        try await list("a", [entry("new")])
        #expect(try await index.remove(remote("self")).count == 1)
        let removed = try await index.remove(remote("b"))
        #expect(removed.map(\.key) == [remote("b")])
        try await index.rekey(remote("c"), to: entry("a", parent: "c", folder: true))
        #expect(try await index.descendants(of: remote("a")).count <= 2)
    }

    @Test("law 4: folders a thousand deep are traversed and removed without deep recursion")
    func depth() async throws {
        let chain = (0..<1000).map { entry("\($0)", parent: $0 == 0 ? ".root" : "\($0 - 1)", folder: true) }
        try await index.merge(chain, provider: provider, domain: "work")
        #expect(try await index.descendants(of: root).count == 1000)
        try await list("999", [entry("leaf"), entry("500", folder: true)])
        #expect(try await index.descendants(of: remote("500")).count == 500)
        let outcome = try await list(".root", [])
        #expect(outcome.removed.count == 1001)
        #expect(try await index.descendants(of: root).isEmpty)
    }

    @Test("a listing of a folder that has been deleted does not bring it back")
    func gone() async throws {
        try await list("gone", [entry("a")])
        #expect(try await index.item(remote("gone")) == nil)
        #expect(try await index.item(root) == nil)
        try await list(".root", [])
        #expect(try await index.item(root)?.description.isFolder == true)
    }

    @Test("HAZARDS 11: a listing in parts is merged as a whole, its losses too, and one that lacks most is held")
    func large() async throws {
        let count = 2 * ItemIndex.listingBatch + 500
        let all = (0..<count).map { entry("i\($0)") }
        #expect(try await list(".root", all).added == count)
        #expect(try await index.checkedChildren(of: root).count == count)
        #expect(try await index.item(root)?.listed != nil)
        var changed = Array(all.dropFirst(10))
        changed[0].version = "another"
        let outcome = try await list(".root", changed + [entry("new")])
        #expect(outcome.added == 1 && outcome.removed.count == 10 && outcome.held == nil)
        #expect(outcome.changed.map(\.key.identifier) == ["i10"])
        #expect(try await index.item(remote("i3")) == nil)
        let held = try await list(".root", Array(all.prefix(count / 2 - 100)))
        #expect(held.held?.before == count - 9 && held.removed.isEmpty)
    }
}
