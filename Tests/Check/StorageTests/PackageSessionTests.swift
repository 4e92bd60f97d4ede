import Testing

@testable import Storage

/// A package session in the journal, for another daemon to resume (D3).
@Suite struct PackageSessionTests {
    private static func base(_ path: String, folder: Bool = false) throws -> PackageManifest.Base {
        .init(path: try PackagePath(path), isFolder: folder, version: folder ? nil : path, identifier: path)
    }

    @Test("D3: a recorded session yields the same package again, in Staging and in Uploads")
    func roundTrip() throws {
        let scratch = try Scratch()
        let staging = PackageStaging(layout: scratch.layout)
        try staging.begin("op", name: "p.rtfd")
        #expect(try staging.session("op") == nil)
        let base = try [Self.base("a"), Self.base("d", folder: true), Self.base("d/b")]
        try staging.record(.init(base: base, baseVersion: "v", isReplacing: false), of: "op")
        var plan = try PackagePlan(base: base, replacing: false)
        let content = PackageManifest.Content(file: "e1", size: 1, digest: "x")
        let changes: [PackageChange] = try [
            .write(PackagePath("new\n/1"), content, source: nil), .move(PackagePath("d/b"), to: PackagePath("c")),
            .remove(PackagePath("d/b")), .makeFolder(PackagePath("f")), .keep(PackagePath("a")),
        ]
        for change in changes {
            _ = try plan.apply(change)
            try staging.record(change, of: "op")
        }
        for _ in 0..<2 {
            let found = try #require(try staging.session("op"))
            #expect(found.session.baseVersion == "v" && !found.session.isReplacing && found.changes == changes)
            var again = try PackagePlan(base: found.session.base, replacing: false)
            for change in found.changes { _ = try again.apply(change) }
            #expect(again.manifest == plan.manifest)
            // A commit that ended before its commit point has moved it.
            _ = try staging.freeze("op", plan.manifest)
        }
    }

    @Test("N3: an element at another path is unchanged: neither new nor removed content")
    func moved() throws {
        var plan = try PackagePlan(base: [Self.base("a"), Self.base("b")], replacing: false)
        _ = try plan.apply(.move(PackagePath("a"), to: PackagePath("x/y")))
        _ = try plan.apply(.remove(PackagePath("a")))
        let element = try #require(plan.manifest.elements.first { $0.path.text == "x/y" })
        #expect(element.content == nil && element.base == nil && element.unchanged?.path.text == "a")
        #expect(plan.manifest.removed.map(\.path.text) == ["a"])
        #expect(throws: FileSystemError.self) {
            _ = try plan.apply(.move(PackagePath("missing"), to: PackagePath("z")))
        }
        // Written again, it is new.
        _ = try plan.apply(.write(PackagePath("x/y"), .init(file: "e", size: 1, digest: "d"), source: nil))
        #expect(plan.manifest.elements.first { $0.path.text == "x/y" }?.unchanged == nil)
    }

    @Test("K10: the metadata of an operation is kept with its thumbnail, replaced, and deleted")
    func metadata() throws {
        let scratch = try Scratch()
        let store = MetadataStore(layout: scratch.layout)
        #expect(try store.bytes("op") == nil)
        try store.put("op", [1, 2], picture: [3])
        try store.put("other", [9], picture: nil)
        #expect(try store.bytes("op") == [1, 2])
        #expect(try PackageStaging.bytes(of: store.openPicture("op"), limit: 10) == [3])
        try store.put("op", [4], picture: nil)
        #expect(try store.bytes("op") == [4])
        #expect(throws: FileSystemError.self) { try store.openPicture("op") }
        try store.removeOrphans(known: ["op"])
        #expect(try store.bytes("other") == nil)
        try store.remove("op")
        #expect(try store.bytes("op") == nil)
    }
}
