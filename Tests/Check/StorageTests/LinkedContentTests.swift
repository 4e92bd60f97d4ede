import CLinux
import Foundation
import Testing

@testable import Storage

@Suite struct LinkedContentTests {
    let scratch: Scratch
    let store: MaterialisedStore
    let (staging, uploads): (Directory, Directory)
    let versions: VersionStore

    init() throws {
        scratch = try Scratch()
        store = try scratch.store
        staging = try Directory(path: scratch.layout.stagingDirectory)
        uploads = try Directory(path: scratch.layout.uploadsDirectory)
        versions = VersionStore(layout: scratch.layout)
    }

    func place(_ identifier: String = "item") -> ItemPlace { store.place(for: identifier, name: Array("a".utf8)) }

    func commit(_ operation: String, _ content: [UInt8]) throws -> FileName {
        try Data(content).write(to: URL(fileURLWithPath: uploads.path + "/" + operation))
        return try FileName(operation)
    }

    func publish(_ name: FileName, _ identifier: String = "item") throws -> OpenDescriptor? {
        try store.publishLink(name, in: uploads, for: identifier, at: place(identifier), staging: staging)
    }

    @Test("W7: the committed inode itself is moved to its place, read-only, and the replaced one is returned")
    func links() throws {
        let long = String(repeating: "é", count: 300)
        for identifier in ["item", long] {
            #expect(try publish(commit("one", [1]), identifier) == nil)
            let displaced = try #require(try publish(commit("two", [2, 2]), identifier))
            #expect(try bytes(of: displaced) == [1])
            let content = try #require(try store.open(place(identifier)))
            let status = try FileStatus(of: content.number)
            #expect(try uploads.status(of: FileName("two"))?.identity == status.identity && status.mode == 0o400)
            #expect(try publish(FileName("two"), identifier) == nil)
            #expect(try staging.names().isEmpty)
            try uploads.removeContents()
        }
        #expect(try Set(store.identifiers()) == ["item", long])
    }

    @Test("W7: a run that was interrupted at any point is completed by the next", arguments: 0..<4)
    func interrupted(step: Int) throws {
        _ = try publish(commit("one", [1]))
        let name = try commit("two", [2])
        let folder = try Directory(path: store.container).directory(place().folder)
        if step > 0 { _ = try uploads.link(name, to: staging, as: name) }
        if step > 1 {
            try checked(staging.rename(name, to: folder, as: place().name, flags: CLINUX_RENAME_EXCHANGE), "exchange")
        }
        if step > 2 { try staging.remove(name) }
        let displaced = try publish(name)
        #expect(try displaced.map { try bytes(of: $0) } == (step > 2 ? nil : [1]))
        #expect(try bytes(of: #require(try store.open(place()))) == [2])
        #expect(try staging.names().isEmpty && publish(name) == nil)
    }

    @Test("F1: content moves to another identifier's place before the old one is removed; a repetition changes nothing")
    func carried() throws {
        _ = try publish(commit("one", [1]), "old")
        _ = try publish(commit("two", [2]), "new")
        for _ in 0..<2 {
            #expect(try store.link(place("old"), to: place("new"), for: "new", staging: staging))
            #expect(try bytes(of: #require(try store.open(place("new")))) == [1])
        }
        try store.remove(place("old"))
        #expect(try !store.link(place("old"), to: place("new"), for: "new", staging: staging))
        #expect(try bytes(of: #require(try store.open(place("new")))) == [1])
        #expect(try staging.names().isEmpty)
    }

    @Test(
        "kept content is found by its place, once for each operation",
        arguments: VersionStore.Reason.allCases)
    func kept(reason: VersionStore.Reason) throws {
        let name = try commit("one", [1, 2])
        let item = String(repeating: "x", count: 300)
        let first = try versions.keepLink(to: name, in: uploads, item: item, reason: reason, operation: "one")
        let again = try versions.keepLink(to: name, in: uploads, item: item, reason: reason, operation: "one")
        #expect(first == again)
        try uploads.remove(name)
        let open = try versions.open(VersionStore.Place(folder: first.folder, file: FileName(first.file.description)))
        #expect(try bytes(of: open) == [1, 2])
        // Other content of the same operation gets a name of its own.
        let second = try versions.keepLink(
            to: commit("two", [3]), in: uploads, item: item, reason: reason, operation: "one")
        #expect(second.folder == first.folder && second.file != first.file)
        #expect(try Set(versions.versions(of: item)) == [first.file, second.file])
        for _ in 0..<2 { for place in [first, second] { try versions.remove(place) } }
        #expect(try versions.versions(of: item).isEmpty)
        #expect(try Directory(path: scratch.layout.versionsDirectory).names().isEmpty)
        expectCode(.notFound) {
            _ = try versions.keepLink(to: name, in: uploads, item: item, reason: reason, operation: "one")
        }
    }
}
