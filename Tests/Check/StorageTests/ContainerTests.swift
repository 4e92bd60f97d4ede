import CLinux
import Foundation
import Glibc
import Testing

@testable import Storage

/// The contents of a container are reached only through descriptors.
@Suite struct ContainerTests {
    enum Planted: String, CaseIterable, Sendable {
        case link, loop, upwards, fifo, file

        func put(at path: String, target: String) throws {
            let result =
                switch self {
                case .link: symlink(target, path)
                case .loop: symlink(path, path)
                case .upwards:
                    symlink(
                        String(repeating: "../", count: path.split(separator: "/").count - 1) + target.dropFirst(), path
                    )
                case .fifo: mkfifo(path, 0o600)
                case .file: FileManager.default.createFile(atPath: path, contents: Data()) ? CInt(0) : CInt(-1)
                }
            guard result == 0 else { throw FileSystemError(errno: errno, "plant", path: path) }
        }
    }

    @Test("F3: a mount inside is not entered")
    func mounts() throws {
        let root = try Directory(path: OwnPath("/"))
        expectCode(.unacceptable) { _ = try root.directory(FileName("proc")) }
    }

    @Test(
        "F3: document storage is not created through anything that a provider put in the place of a folder",
        arguments: Planted.allCases, ["File Provider Storage", "File Provider Storage/d"])
    func documentStorage(_ planted: Planted, _ place: String) throws {
        let scratch = try Scratch()
        let layout = scratch.layout
        _ = try layout.prepareDocumentStorage(group: "g", domain: "d")
        let outside = scratch.root + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        chmod(outside, 0o755)
        let path = layout.groupDirectory("g") + "/" + place
        try FileManager.default.removeItem(atPath: path)
        try planted.put(at: path, target: outside)
        #expect(throws: FileSystemError.self) { try layout.prepareDocumentStorage(group: "g", domain: "d") }
        #expect(layout.openDocumentStorage(group: "g", domain: "d") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        #expect(try Directory(path: OwnPath(outside)).status().mode == 0o755)
    }

    @Test("Local copies of an earlier release are migrated once, without links, FIFOs and hard-linked inodes")
    func formerCopies() throws {
        let scratch = try Scratch()
        let layout = scratch.layout
        let former = try layout.prepareDocumentStorage(group: "g", domain: "d").path + "/.docent-items"
        try FileManager.default.createDirectory(atPath: former + "/item", withIntermediateDirectories: true)
        let secret = scratch.root + "/private"
        try Data("private".utf8).write(to: URL(fileURLWithPath: secret))
        try Data("content".utf8).write(to: URL(fileURLWithPath: former + "/item/a.txt"))
        #expect(symlink(secret, former + "/item/link") == 0)
        #expect(mkfifo(former + "/item/fifo", 0o600) == 0)
        #expect(symlink(scratch.root, former + "/folder") == 0)
        let inode = try #require(
            try FileManager.default.attributesOfItem(atPath: former + "/item/a.txt")[.systemFileNumber] as? Int)

        let copies = try layout.prepareCopies(provider: "p", domain: "d", formerGroup: "g")
        #expect(try copies.names().map(\.description) == ["item"])
        #expect(try copies.directory(FileName("item")).names().map(\.description) == ["a.txt"])
        let path = copies.path + "/item/a.txt"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "content")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int != inode)
        #expect(!FileManager.default.fileExists(atPath: former))
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "private")

        // A file that the provider stores there later is no local copy.
        try FileManager.default.createDirectory(atPath: former + "/other", withIntermediateDirectories: true)
        #expect(try layout.prepareCopies(provider: "p", domain: "d", formerGroup: "g").names().count == 1)
    }

    @Test("An interrupted migration starts again")
    func interruptedTakeOver() throws {
        let scratch = try Scratch()
        let layout = scratch.layout
        let former = try layout.prepareDocumentStorage(group: "g", domain: nil).path + "/.docent-items"
        try FileManager.default.createDirectory(atPath: former + "/item", withIntermediateDirectories: true)
        try Data("content".utf8).write(to: URL(fileURLWithPath: former + "/item/a.txt"))
        let unfinished = "\(layout.copiesDirectory)/p/.adopting/half"
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        let copies = try layout.prepareCopies(provider: "p", domain: nil, formerGroup: "g")
        #expect(try copies.names().map(\.description) == ["item"])
    }

    @Test("A former place that is a link stays unchanged")
    func formerLink() throws {
        let scratch = try Scratch()
        let layout = scratch.layout
        let outside = scratch.root + "/outside"
        try FileManager.default.createDirectory(atPath: outside + "/item", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: outside + "/item/a.txt"))
        let storage = try layout.prepareDocumentStorage(group: "g", domain: nil).path
        #expect(symlink(outside, storage + "/.docent-items") == 0)
        #expect(try layout.prepareCopies(provider: "p", domain: nil, formerGroup: "g").names().isEmpty)
        #expect(FileManager.default.fileExists(atPath: outside + "/item/a.txt"))
    }
}
