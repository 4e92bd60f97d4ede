import CLinux
import DocentTestSupport
import Foundation
import Testing

@testable import Storage

@Suite(.mayBlock) struct SupersededStoreTests {
    let scratch: Scratch
    let store: SupersededStore
    let staging: Directory

    init() throws {
        scratch = try Scratch()
        store = SupersededStore(layout: scratch.layout)
        staging = try Directory(path: scratch.layout.stagingDirectory)
    }

    private func file(_ name: String, _ text: String) throws -> FileName {
        let name = try FileName(name)
        let file = try staging.create(name)
        let bytes = Array(text.utf8)
        #expect(clinux_pwrite(file.number, bytes, bytes.count, 0) == bytes.count)
        return name
    }

    private func text(_ place: VersionStore.Place) throws -> String {
        let file = try VersionStore(layout: scratch.layout).open(place)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = clinux_pread(file.number, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("V1: a copy is kept once for each save, with the date of its source, and is not changed by it")
    func copies() throws {
        let name = try file("a", "old")
        let source = try staging.openForWriting(name)
        let before = try FileStatus(of: source.number)
        let kept = try store.keep(copyOf: source, for: "A1-F0", .superseded)
        #expect(kept.status.modified == before.modified && kept.status.mode == 0o400)
        #expect(kept.status.identity != before.identity)
        let bytes = Array("new".utf8)
        #expect(clinux_pwrite(source.number, bytes, 3, 0) == 3)
        #expect(try store.keep(copyOf: source, for: "A1-F0", .superseded).place == kept.place)
        #expect(try text(kept.place) == "old")
        try store.settle(kept)
        try store.flush(kept.place)
        #expect(try store.kept("A1-F0")?.reason == .superseded && store.kept("A1-F1") == nil)
    }

    @Test("V1: a link costs no copy; for a save, the last content before it is published counts")
    func links() throws {
        let (first, second) = (try file("first", "one"), try file("second", "two"))
        let kept = try #require(try store.keep(linkTo: first, in: staging, for: "op", .replaced))
        #expect(try kept.status.identity == staging.status(of: first)?.identity && kept.reason == .replaced)
        #expect(try store.keep(linkTo: first, in: staging, for: "op", .replaced)?.place == kept.place)
        let other = try #require(try store.keep(linkTo: second, in: staging, for: "op", .replaced))
        #expect(try text(other.place) == "two" && store.files(in: other.place.folder).count == 1)
        #expect(try store.keep(linkTo: FileName("absent"), in: staging, for: "x", .replaced) == nil)
    }

    @Test("V8: an interrupted copy is found by the search, and does not disturb the next attempt")
    func interrupted() throws {
        let name = try file("a", "whole")
        let kept = try store.keep(copyOf: staging.open(name), for: "op", .superseded)
        let folder = try Directory(path: scratch.layout.versionsDirectory).directory(kept.place.folder)
        try store.remove([kept.place])
        _ = try folder.create(FileName(".copy-op"))
        #expect(try store.files(in: kept.place.folder).map(\.operation) == ["op"])
        #expect(try store.kept("op") == nil)
        let again = try store.keep(copyOf: staging.open(name), for: "op", .superseded)
        #expect(try text(again.place) == "whole" && store.files(in: again.place.folder).count == 1)
    }

    @Test(
        "V8: names of saves cannot leave the store or meet another one's",
        arguments: ["", "..", "a/b", "/", String(repeating: "x", count: 300)])
    func names(operation: String) throws {
        let name = try file("a", "text")
        if let kept = try? store.keep(linkTo: name, in: staging, for: operation, .superseded) {
            #expect(SupersededStore.owns(kept.place.folder))
            #expect(kept.place.file.text == "superseded-" + operation)
        }
        #expect(try store.folders().allSatisfy(SupersededStore.owns))
        // The folder of an item is never one of the store's, whatever the item is called.
        for item in [".docent-saves-00", "superseded", operation] {
            #expect(!SupersededStore.owns(NameEscaping.escape(item)))
        }
    }

    @Test("The user removes a version like any other, and the folder stays for the saves that come")
    func removed() throws {
        let kept = try #require(try store.keep(linkTo: file("a", "old"), in: staging, for: "op", .superseded))
        for _ in 0..<2 { try VersionStore(layout: scratch.layout).remove(kept.place) }
        #expect(try store.kept("op") == nil && store.folders() == [kept.place.folder])
        for _ in 0..<2 { try store.remove([kept.place]) }
    }
}
