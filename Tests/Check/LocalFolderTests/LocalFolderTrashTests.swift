import FileProvider
import Foundation
import Glibc
import Testing

@testable import LocalFolder

@Suite struct LocalFolderTrashTests {
    private func operation() -> ChangeOperation { ChangeOperation(identifier: UUID().uuidString) }

    private func trash(_ item: FileProviderItem, _ fixture: LocalFolderFixture) async throws -> String {
        let name = try await fixture.provider.trashItem(
            item.identifier, baseVersion: item.version, operation: operation())
        return try #require(name)
    }

    private func restore(
        _ trashed: String, to parent: ItemIdentifier? = nil, named name: String? = nil, _ fixture: LocalFolderFixture
    ) async throws -> FileProviderItem {
        try await fixture.provider.restoreItem(trashed, to: parent, named: name, operation: operation())
    }

    private func entries(_ fixture: LocalFolderFixture) async throws -> [TrashedItem] {
        try await fixture.provider.trashedItems(page: nil).items
    }

    /// The path of the trash, which this user has.
    private func place(_ fixture: LocalFolderFixture) -> String { "\(fixture.path)/.Trash-\(getuid())" }

    @Test(
        "O15: a document goes to the trash, which no listing shows, and comes back with its identifier and content",
        arguments: [false, true])
    func document(restarts: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "a b.txt")
            let item = try await fixture.child("a b.txt")
            let trashed = try await trash(item, fixture)
            if restarts { try fixture.restart() }
            #expect(try await fixture.list().isEmpty)
            let gone = fixture.provider
            #expect(await code { _ = try await gone.item(for: item.identifier) } == .noSuchItem)
            #expect(
                await code { _ = try await gone.child(named: ".Trash-\(getuid())", in: .rootContainer) } == .noSuchItem)
            let listed = try #require(try await entries(fixture).first)
            #expect(listed.identifier == trashed && listed.filename == "a b.txt" && listed.path == ["a b.txt"])
            #expect(listed.item == item.identifier && listed.parent == .rootContainer && listed.size == 4)
            #expect(abs((listed.deletionDate ?? 0) - Date.now.timeIntervalSince1970) < 60)
            let record = try String(contentsOfFile: place(fixture) + "/info/a b.txt.trashinfo", encoding: .utf8)
            #expect(record.hasPrefix("[Trash Info]\nPath=a%20b.txt\nDeletionDate="))
            let back = try await restore(trashed, fixture)
            #expect(back.identifier == item.identifier && back.filename == "a b.txt")
            #expect(try await fixture.text(item.identifier) == "text")
            #expect(try await entries(fixture).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place(fixture) + "/info").isEmpty)
        }
    }

    @Test("O15: a document that was saved here has its identifier again after the trash")
    func savedDocument() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("one", to: "doc")
            let item = try await fixture.child("doc")
            _ = try await fixture.modify(item, to: "two")
            let saved = try await fixture.child("doc")
            #expect(saved.identifier == item.identifier)
            let trashed = try await trash(saved, fixture)
            // Another program's document in its place is another item.
            try fixture.write("other", to: "doc")
            let other = try await fixture.child("doc")
            #expect(other.identifier != item.identifier)
            try fixture.restart()
            let provider = fixture.provider
            #expect(await code { _ = try await provider.item(for: item.identifier) } == .noSuchItem)
            #expect(await code { _ = try await restore(trashed, fixture) } == .filenameCollision)
            #expect(try await fixture.text(other.identifier) == "other")
            let back = try await restore(trashed, to: .rootContainer, named: "old", fixture)
            #expect(back.identifier == item.identifier && back.filename == "old")
            #expect(try await fixture.text(item.identifier) == "two")
        }
    }

    @Test("O15: a folder goes to the trash as a whole, and its contents have their identifiers when it returns")
    func folder() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/a/b", withIntermediateDirectories: true)
            try fixture.write("text", to: "a/b/doc")
            let outer = try await fixture.child("a")
            let inner = try await fixture.child("b", in: outer.identifier)
            let item = try await fixture.child("doc", in: inner.identifier)
            _ = try await fixture.text(item.identifier)
            let trashed = try await trash(outer, fixture)
            let provider = fixture.provider
            #expect(await code { _ = try await provider.item(for: item.identifier) } == .noSuchItem)
            // The same names again are other items.
            try FileManager.default.createDirectory(atPath: fixture.path + "/a/b", withIntermediateDirectories: true)
            try fixture.write("other", to: "a/b/doc")
            #expect(await code { _ = try await provider.item(for: item.identifier) } == .noSuchItem)
            let back = try await restore(trashed, named: "again", fixture)
            #expect(back.identifier == outer.identifier)
            let found = try await provider.item(for: item.identifier)
            #expect(found.parent == inner.identifier)
            #expect(try await fixture.text(item.identifier) == "text")
        }
    }

    @Test("O15: a document that was changed meanwhile does not go to the trash")
    func changed() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("one", to: "doc")
            let item = try await fixture.child("doc")
            try fixture.write("three", to: "doc")
            let provider = fixture.provider
            let refused = await code {
                _ = try await provider.trashItem(item.identifier, baseVersion: item.version, operation: operation())
            }
            #expect(refused == .versionOutOfDate)
            #expect(try await fixture.text(fixture.child("doc").identifier) == "three")
            #expect(try await entries(fixture).isEmpty)
        }
    }

    @Test("O15: many documents of the same name, and of the longest one, are kept apart in the trash")
    func names() async throws {
        try await LocalFolderFixture.with { fixture in
            let longest = String(repeating: "ü", count: 125) + ".text"
            for name in ["doc.txt", "doc.txt", "doc.txt", longest, longest] {
                try fixture.write("text", to: name)
                _ = try await trash(fixture.child(name), fixture)
            }
            let listed = try await entries(fixture)
            #expect(listed.map(\.filename).sorted() == ["doc.txt", "doc.txt", "doc.txt", longest, longest].sorted())
            #expect(Set(listed.map(\.identifier)).count == 5)
            let item = try #require(listed.first { $0.filename == longest })
            #expect(try await restore(item.identifier, fixture).filename == longest)
        }
    }

    @Test("O15: something in the trash is deleted for good, and nothing else is")
    func deleting() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/gone/b", withIntermediateDirectories: true)
            try fixture.write("text", to: "gone/b/doc")
            try fixture.write("kept", to: "kept")
            let gone = try await trash(fixture.child("gone"), fixture)
            let kept = try await trash(fixture.child("kept"), fixture)
            let provider = fixture.provider
            try await provider.deleteTrashedItem(gone)
            #expect(await code { try await provider.deleteTrashedItem(gone) } == .noSuchItem)
            #expect(await code { _ = try await restore(gone, fixture) } == .noSuchItem)
            #expect(try await entries(fixture).map(\.identifier) == [kept])
            #expect(try FileManager.default.contentsOfDirectory(atPath: place(fixture) + "/files") == ["kept"])
        }
    }

    @Test("O15: a restore that is repeated after a restart finds its result")
    func repeatedRestore() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            let item = try await fixture.child("doc")
            let trashed = try await trash(item, fixture)
            let operation = operation()
            _ = try await fixture.provider.restoreItem(trashed, to: nil, named: "new", operation: operation)
            try fixture.restart()
            let again = try await fixture.provider.restoreItem(trashed, to: nil, named: "new", operation: operation)
            #expect(again.identifier == item.identifier && again.filename == "new")
            #expect(try fixture.names() == [".Trash-\(getuid())", "new"])
        }
    }

    // MARK: Hostile trash folders

    @Test(
        "O15: a trash folder that is a link, a file, or has links in it is not used, and nothing outside is touched",
        arguments: ["link", "file", "files", "info"])
    func planted(_ kind: String) async throws {
        try await LocalFolderFixture.with { fixture in
            let outside = fixture.path + "-outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: outside) }
            let place = place(fixture)
            switch kind {
            case "link": try #require(symlink(outside, place) == 0)
            case "file": try fixture.write("a file", to: ".Trash-\(getuid())")
            default:
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try #require(symlink(outside, "\(place)/\(kind)") == 0)
            }
            try fixture.write("text", to: "doc")
            let item = try await fixture.child("doc")
            let provider = fixture.provider
            let refused = await code {
                _ = try await provider.trashItem(item.identifier, baseVersion: nil, operation: operation())
            }
            #expect(refused == .notPermitted)
            #expect(await code { _ = try await provider.trashedItems(page: nil) } == .notPermitted)
            #expect(try await fixture.text(item.identifier) == "text")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        }
    }

    @Test(
        "O15: a record whose path leads anywhere but down counts as none: the item is listed without a place",
        arguments: [
            "../outside", "a/../../outside", "/etc/passwd", "a//b", "", "a%2F..%2Fb", "%2E%2E/outside", "a%00b", "a%zz",
            "./a",
        ])
    func hostileRecords(_ path: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            let trashed = try await trash(fixture.child("doc"), fixture)
            try "[Trash Info]\nPath=\(path)\nDeletionDate=2026-01-02T03:04:05\n"
                .write(toFile: place(fixture) + "/info/doc.trashinfo", atomically: false, encoding: .utf8)
            let listed = try #require(try await entries(fixture).first)
            #expect(listed.path == nil && listed.parent == nil && listed.filename == "doc")
            #expect(await code { _ = try await restore(trashed, fixture) } == .noSuchItem)
            let back = try await restore(trashed, to: .rootContainer, fixture)
            #expect(back.filename == "doc")
        }
    }

    @Test("O15: a record that leads through a link or into the trash itself is not followed")
    func linkedRecords() async throws {
        try await LocalFolderFixture.with { fixture in
            let outside = fixture.path + "-outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: outside) }
            try #require(symlink(outside, fixture.path + "/way") == 0)
            try fixture.write("text", to: "doc")
            let trashed = try await trash(fixture.child("doc"), fixture)
            for path in ["way/doc", ".Trash-\(getuid())/files/doc2"] {
                try "[Trash Info]\nPath=\(path)\n"
                    .write(toFile: place(fixture) + "/info/doc.trashinfo", atomically: false, encoding: .utf8)
                #expect(await code { _ = try await restore(trashed, fixture) } == .noSuchItem)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        }
    }

    @Test(
        "O15: foreign files in the trash are listed, and can be restored and deleted; FIFOs and orphans are not shown")
    func foreign() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            _ = try await trash(fixture.child("doc"), fixture)
            let files = place(fixture) + "/files/"
            try "foreign".write(toFile: files + "foreign.txt", atomically: false, encoding: .utf8)
            try #require(mkfifo(files + "fifo", 0o600) == 0)
            try #require(mkfifo(place(fixture) + "/info/foreign.txt.trashinfo", 0o600) == 0)
            try "[Trash Info]\nPath=lost\n"
                .write(toFile: place(fixture) + "/info/lost.trashinfo", atomically: false, encoding: .utf8)
            let listed = try await entries(fixture)
            #expect(listed.map(\.filename).sorted() == ["doc", "foreign.txt"])
            let foreign = try #require(listed.first { $0.filename == "foreign.txt" })
            #expect(foreign.path == nil && foreign.deletionDate == nil)
            let back = try await restore(foreign.identifier, to: .rootContainer, named: "found", fixture)
            #expect(try await fixture.text(back.identifier) == "foreign")
            for name in ["..", "/etc/passwd", "../doc", "fifo"] {
                let token = LocalName(name).map(FolderLists.token) ?? name
                #expect(await code { _ = try await restore(token, to: .rootContainer, fixture) } == .noSuchItem)
            }
        }
    }

    @Test("O15: a link is restored only where it leads to an item of the folder")
    func links() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/sub", withIntermediateDirectories: true)
            try fixture.write("text", to: "target")
            try #require(symlink("target", fixture.path + "/link") == 0)
            let link = try await fixture.child("link")
            let trashed = try await trash(link, fixture)
            let sub = try await fixture.child("sub")
            #expect(await code { _ = try await restore(trashed, to: sub.identifier, fixture) } == .notSupported)
            let back = try await restore(trashed, fixture)
            #expect(back.identifier == link.identifier && back.symbolicLinkTarget != nil)
        }
    }
}
