import FileProvider
import Foundation
import LocalFolder
import Testing

/// Events for observed items alone: no folder is listed here.
@Suite(.timeLimit(.minutes(3))) struct WatchTests {
    @Test("Complaint 11: a write in place, a save by renaming and a change of the attributes are reported")
    func tellsWrites() async throws {
        try await WatchFixture.with { watch in
            try watch.makeFolder("a/b")
            try watch.folder.write("old", to: "a/b/doc")
            let doc = try await watch.identifier("a/b/doc")
            try await watch.observe(doc)
            try watch.folder.write("in place", to: "a/b/doc")
            try await watch.hears("write") { $0.changed[doc] != nil }
            try await watch.settles()
            watch.forget()
            try watch.folder.saveElsewhere("renamed", to: "a/b/doc")
            try await watch.hears("save by renaming") { $0.changed[doc] != nil }
            #expect(try await watch.identifier("a/b/doc") == doc)
            try await watch.settles()
            watch.forget()
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: watch.folder.path + "/a/b/doc")
            try await watch.hears("attribute") { $0.changed[doc] != nil }
            #expect(watch.heard.deleted.isEmpty)
        }
    }

    @Test("J2: a deletion is reported, and a document that comes back is reported as changed")
    func tellsDeletion() async throws {
        try await WatchFixture.with { watch in
            try watch.folder.write("old", to: "doc")
            let doc = try await watch.identifier("doc")
            try await watch.observe(doc)
            try watch.remove("doc")
            try await watch.hears("deleted") { $0.deleted.contains(doc) }
            try await watch.settles()
            #expect(watch.heard.changed[doc] == nil, "reported once")
            watch.forget()
            try watch.folder.write("new", to: "doc")
            try await watch.hears("again") { $0.changed[doc] != nil }
        }
    }

    @Test(
        "Complaint 9: events continue when the folder of a document, or one far above it, was moved or renamed",
        arguments: [
            ("a/b", "c"), ("a/b", "a/z"), ("a", "other"),
        ])
    func followsMovedFolder(from: String, to: String) async throws {
        try await WatchFixture.with { watch in
            try watch.makeFolder("a/b")
            try watch.folder.write("old", to: "a/b/doc")
            let doc = try await watch.identifier("a/b/doc")
            try await watch.observe(doc)
            try watch.move(from, to: to)
            try await watch.hears("moved") { $0.changed[doc] != nil }
            try await watch.settles()
            watch.forget()
            let now = "a/b/doc".replacing(from, with: to, maxReplacements: 1)
            try watch.folder.write("after the move", to: now)
            try await watch.hears("written after the move") { $0.changed[doc] != nil }
            #expect(watch.heard.deleted.isEmpty)
        }
    }

    @Test("J2: a move to another folder is reported, and so are later changes there")
    func followsMovedDocument() async throws {
        try await WatchFixture.with { watch in
            try watch.makeFolder("a")
            try watch.makeFolder("b/c")
            try watch.folder.write("old", to: "a/doc")
            let doc = try await watch.identifier("a/doc")
            try await watch.observe(doc)
            try watch.move("a/doc", to: "b/c/renamed")
            try await watch.hears("moved") { $0.changed[doc] != nil }
            try await watch.settles()
            watch.forget()
            try watch.folder.write("new", to: "b/c/renamed")
            try await watch.hears("written there") { $0.changed[doc] != nil }
            #expect(watch.heard.deleted.isEmpty)
        }
    }

    @Test("A folder is observed with its contents at any depth, including folders that are added later")
    func followsFolder() async throws {
        try await WatchFixture.with { watch in
            try watch.makeFolder("top/a/b")
            try watch.folder.write("old", to: "top/a/b/doc")
            let doc = try await watch.identifier("top/a/b/doc")
            try await watch.observe(try await watch.identifier("top"))
            try watch.folder.write("new", to: "top/a/b/doc")
            try await watch.hears("deep below") { $0.changed[doc] != nil }
            try watch.makeFolder("elsewhere/late")
            try watch.folder.write("there before", to: "elsewhere/late/early")
            let early = try await watch.identifier("elsewhere/late/early")
            try watch.move("elsewhere", to: "top/elsewhere")
            try await watch.hears("came with its folder") { $0.changed[early] != nil }
            try await watch.settles()
            watch.forget()
            try watch.folder.write("new", to: "top/elsewhere/late/early")
            try await watch.hears("in a folder that came later") { $0.changed[early] != nil }
        }
    }

    @Test("1,000 writes to a document are reported at most ten times a second, including the last")
    func coalesces() async throws {
        try await WatchFixture.with { watch in
            try watch.folder.write("old", to: "doc")
            let doc = try await watch.identifier("doc")
            try await watch.observe(doc)
            let start = ContinuousClock.now
            for number in 0..<1_000 { try watch.folder.write("\(number)", to: "doc") }
            try await watch.hears("told") { $0.changed[doc] != nil }
            try await watch.settles()
            let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
            #expect(try #require(watch.heard.changed[doc]) <= tenths + 1)
            #expect(watch.heard.resyncs == 0)
            watch.forget()
            try watch.folder.write("afterwards", to: "doc")
            try await watch.hears("one more") { $0.changed[doc] != nil }
        }
    }

    @Test("A document is observed until its last observer leaves")
    func stops() async throws {
        try await WatchFixture.with { watch in
            try watch.folder.write("old", to: "doc")
            let doc = try await watch.identifier("doc")
            try await watch.observe(doc)
            try await watch.observe(doc)
            try await watch.observe(doc, false)
            try watch.remove("doc")
            try await watch.settles()
            #expect(watch.heard.deleted.isEmpty)
        }
    }

    @Test("Beyond the limit of watches, items are polled, and that is reported")
    func polls() async throws {
        try await WatchFixture.with("LocalFolderTests.NarrowFolder") { watch in
            try watch.makeFolder("a/b/c/d")
            try watch.folder.write("old", to: "a/b/c/d/doc")
            let doc = try await watch.identifier("a/b/c/d/doc")
            try await watch.observe(doc)
            try await watch.hears("the log") { $0.log.contains { $0.contains("max_user_watches") } }
            try watch.folder.write("new and longer", to: "a/b/c/d/doc")
            try await watch.hears("changed") { $0.changed[doc] != nil }
            try watch.remove("a/b/c/d/doc")
            try await watch.hears("deleted") { $0.deleted.contains(doc) }
            try await watch.observe(try await watch.identifier("a"))
            try await watch.settles()
            try watch.folder.write("another", to: "a/b/c/d/another")
            try await watch.hears("resync") { $0.resyncs > 0 }
        }
    }

    @Test("A missing item cannot be observed")
    func refusesUnknown() async throws {
        try await WatchFixture.with { watch in
            await #expect(throws: (any Error).self) { try await watch.observe("1.1") }
        }
    }
}
