import CLinux
import DocentTestSupport
import Foundation
import Testing

@testable import Storage

/// Packages that saves have replaced, on the disk.
@Suite(.mayBlock) struct PackageVersionStoreTests {
    let scratch: Scratch
    let store: PackageVersionStore
    let files: SupersededStore
    let staging: Directory

    init() throws {
        scratch = try Scratch()
        store = PackageVersionStore(layout: scratch.layout)
        files = SupersededStore(layout: scratch.layout)
        staging = try Directory(path: scratch.layout.stagingDirectory)
    }

    @discardableResult
    private func file(_ name: String, _ text: String) throws -> FileName {
        let name = try FileName(name)
        try staging.remove(name)
        let file = try staging.create(name)
        let bytes = Array(text.utf8)
        #expect(clinux_pwrite(file.number, bytes, bytes.count, 0) == bytes.count)
        return name
    }

    private func text(_ file: OpenDescriptor) throws -> String {
        String(decoding: try PackageStaging.bytes(of: file, limit: 1000), as: UTF8.self)
    }

    private func status(of file: OpenDescriptor) throws -> FileStatus {
        try withExtendedLifetime(file) { try FileStatus(of: file.number) }
    }

    private static func element(_ path: String, _ kept: (file: String, size: Int64)?) throws -> KeptPackage.Element {
        KeptPackage.Element(path: try PackagePath(path), isFolder: false, size: kept?.size, file: kept?.file)
    }

    /// Keeps a package with copies of these files.
    @discardableResult
    private func keep(
        _ contents: [String: String], for operation: String, like former: VersionStore.Place? = nil
    ) throws -> PackageVersionStore.Kept {
        try store.begin(operation)
        var elements: [KeptPackage.Element] = []
        for (number, (path, content)) in contents.sorted(by: { $0.key < $1.key }).enumerated() {
            let source = try staging.open(file("source", content))
            let known = try former.map { place in
                (place: place, file: try store.list(place).element(PackagePath(path))?.file ?? "none")
            }
            elements.append(
                try Self.element(path, store.add(copyOf: source, number: number, of: operation, like: known)))
        }
        return try store.finish(operation, KeptPackage(elements: elements, version: "v", modified: 5), .superseded)
    }

    private func contents(_ place: VersionStore.Place) throws -> [String: String] {
        var result: [String: String] = [:]
        for element in try store.list(place).elements {
            result[element.path.text] = try text(store.open(element, of: place))
        }
        return result
    }

    @Test("V1: a package is kept as a whole, with what is in it")
    func keeps() throws {
        let kept = try keep(["a": "one", "b/c": ""], for: "op")
        #expect(try store.kept("op") == kept && kept.reason == .superseded)
        #expect(try contents(kept.place) == ["a": "one", "b/c": ""])
        let list = try store.list(kept.place)
        #expect(list.size == 3 && list.version == "v" && list.modified == 5)
        try store.flush(kept.place)
        #expect(try store.kept("other") == nil && files.kept("op") == nil)
        // The name says what it is, to the records too.
        #expect(PackageVersionStore.isOne(kept.place.file.text) && kept.place.file.text.hasPrefix("package-"))
        #expect(SupersededStore.owns(kept.place.folder))
    }

    @Test("V1: what a package has in common with the version before is stored once")
    func shares() throws {
        let first = try keep(["a": "same", "b": "old"], for: "1")
        let second = try keep(["a": "same", "b": "new"], for: "2", like: first.place)
        #expect(try contents(second.place) == ["a": "same", "b": "new"])
        func status(_ path: String, _ place: VersionStore.Place) throws -> FileStatus {
            let element = try #require(try store.list(place).element(PackagePath(path)))
            return try self.status(of: store.open(element, of: place))
        }
        // A file system that shares blocks needs no second name.
        let source = try staging.open(file("source", "x"))
        let copy = try staging.create(FileName("copy"))
        let canShare = withExtendedLifetime((source, copy)) { clinux_clone(source.number, copy.number) == 0 }
        #expect(try (status("a", first.place).identity == status("a", second.place).identity) == !canShare)
        #expect(try status("b", first.place).identity != status("b", second.place).identity)
        #expect(try status("b", second.place).mode == 0o400)
        // Each stays when the other goes.
        try files.remove([first.place])
        #expect(try contents(second.place) == ["a": "same", "b": "new"])
        #expect(throws: FileSystemError.self) { try store.list(first.place) }
    }

    @Test("V1: a file that nobody writes to any more is kept by a second name, and an absent one not at all")
    func links() throws {
        let name = try file("local", "copy")
        try store.begin("op")
        let kept = try #require(try store.add(linkTo: name, in: staging, number: 0, of: "op"))
        #expect(try store.add(linkTo: FileName("absent"), in: staging, number: 1, of: "op") == nil)
        let elements = [try Self.element("a", kept), try Self.element("b", nil)]
        let place = try store.finish("op", KeptPackage(elements: elements, version: "v"), .replaced).place
        #expect(try store.kept("op")?.reason == .replaced)
        let list = try store.list(place)
        #expect(list.size == 4 && list.elements.map(\.isMissing) == [false, true])
        #expect(try status(of: store.open(list.elements[0], of: place)).identity == staging.status(of: name)?.identity)
        let missing = #expect(throws: FileSystemError.self) { try store.open(list.elements[1], of: place) }
        #expect(missing?.code == .notFound)
    }

    @Test("V8: a package that is being kept is no version at any step, is found by the search, and is kept anew")
    func interrupted() throws {
        try keep(["a": "of an earlier attempt"], for: "op")
        for step in 0..<3 {
            try store.begin("op")
            if step > 0 { _ = try store.add(copyOf: staging.open(file("source", "x")), number: 0, of: "op") }
            if step > 1 { _ = try store.add(linkTo: file("local", "y"), in: staging, number: 1, of: "op") }
            // The daemon is killed here.
            #expect(try store.kept("op") == nil, "\(step)")
            let found = try files.folders().flatMap { try files.files(in: $0) }
            #expect(found.map(\.operation) == ["op"], "\(step)")
            try files.remove(found.map(\.place))
            #expect(try files.folders().flatMap { try files.files(in: $0) }.isEmpty, "\(step)")
        }
        let kept = try keep(["a": "whole"], for: "op")
        let found = try files.files(in: kept.place.folder)
        #expect(found.map(\.operation) == ["op"] && found.map(\.place) == [kept.place])
        #expect(try contents(kept.place) == ["a": "whole"])
    }

    @Test("V8: a package that is being removed is gone at once, and what is left of it is found by the search")
    func removed() throws {
        let kept = try keep(["a": "one", "b": "two"], for: "op")
        let saves = try Directory(path: scratch.layout.versionsDirectory).directory(kept.place.folder)
        // As after a kill in the middle of the removal: under another name, with a part of its content.
        let aside = try FileName(".copy-op")
        try checked(saves.rename(kept.place.file, to: saves, as: aside, flags: 0), "rename")
        try saves.directory(aside).remove(FileName("e0"))
        #expect(try store.kept("op") == nil)
        #expect(try files.files(in: kept.place.folder).map(\.operation) == ["op"])
        // Removing it again changes nothing, and neither disturbs the next one.
        try files.remove([kept.place])
        let next = try keep(["a": "again"], for: "op")
        try files.remove([next.place])
        #expect(try saves.names().isEmpty)
        try files.remove([next.place])
    }

    @Test("An element whose content is not complete, as after a loss of power, is not found")
    func incomplete() throws {
        let kept = try keep(["a": "content"], for: "op")
        let folder = try Directory(path: scratch.layout.versionsDirectory)
            .directory(kept.place.folder).directory(kept.place.file)
        try folder.remove(FileName("e0"))
        _ = try folder.create(FileName("e0"))
        let element = try #require(try store.list(kept.place).elements.first)
        let lost = #expect(throws: FileSystemError.self) { try store.open(element, of: kept.place) }
        #expect(lost?.code == .notFound)
        try folder.remove(FileName("list"))
        _ = try folder.create(FileName("list"))
        let broken = #expect(throws: FileSystemError.self) { try store.list(kept.place) }
        #expect(broken?.code == .corrupt)
    }
}
