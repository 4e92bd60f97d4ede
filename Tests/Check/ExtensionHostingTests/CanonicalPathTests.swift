import Foundation
import Glibc
import Storage
import Testing

@testable import ExtensionHosting

/// X3: links in a path that a picker gives are resolved beneath the document storage.
@Suite struct CanonicalPathTests {
    private static func withStorage(_ body: (CanonicalPath.Storage, String) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "docent-canonical-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        try layout.prepare()
        let directory = try layout.prepareDocumentStorage(group: "g", domain: nil)
        try FileManager.default.createDirectory(atPath: directory.path + "/a/b", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: directory.path + "/a/b/c.txt"))
        try body(
            CanonicalPath.Storage(path: layout.documentStorage(group: "g", domain: nil), directory: directory), root)
    }

    @Test(
        "A path in the storage is resolved, including a missing last part",
        arguments: [
            ("/a/b/c.txt", "/a/b/c.txt"), ("/link/c.txt", "/a/b/c.txt"), ("/a/./b//c.txt", "/a/b/c.txt"),
            ("/a/b/new.txt", "/a/b/new.txt"), ("/link/new/deep.txt", "/a/b/new/deep.txt"), ("", ""),
            ("/relative/c.txt", "/a/b/c.txt"),
        ])
    func inside(_ path: String, _ expected: String) throws {
        try Self.withStorage { storage, _ in
            #expect(symlink("a/b", storage.path + "/link") == 0)
            #expect(
                symlink("../\(URL(fileURLWithPath: storage.path).lastPathComponent)/a/b", storage.path + "/out") == 0)
            #expect(symlink("a/../a/b", storage.path + "/relative") == 0)
            #expect(CanonicalPath.resolve(storage.path + path, in: storage) == storage.path + expected)
            #expect(CanonicalPath.resolve(storage.path + "/out/c.txt", in: storage) == nil)
        }
    }

    @Test("Links that lead out of the storage have no canonical path", arguments: ["absolute", "upwards", "loop"])
    func outside(_ name: String) throws {
        try Self.withStorage { storage, root in
            #expect(symlink(root, storage.path + "/absolute") == 0)
            #expect(symlink("../../..", storage.path + "/upwards") == 0)
            #expect(symlink("loop", storage.path + "/loop") == 0)
            #expect(CanonicalPath.resolve("\(storage.path)/\(name)/x", in: storage) == nil)
        }
    }

    @Test("Another path is not resolved, and a missing storage resolves nothing")
    func elsewhere() throws {
        try Self.withStorage { storage, _ in
            #expect(CanonicalPath.resolve("/etc/passwd", in: storage) == "/etc/passwd")
            #expect(CanonicalPath.resolve(storage.path + "x/a", in: storage) == storage.path + "x/a")
            let gone = CanonicalPath.Storage(path: storage.path, directory: nil)
            #expect(CanonicalPath.resolve(storage.path + "/a", in: gone) == nil)
        }
    }
}
