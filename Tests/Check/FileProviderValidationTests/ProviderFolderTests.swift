import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import FileProviderValidation

/// The validator looks into folders that a provider can write.
@Suite(.mayBlock) struct ProviderFolderTests {
    /// A folder of a provider with `inside`, and beside it `outside`, to which a link in it leads.
    private static func with(_ body: (_ folder: ProviderFolder, _ path: String, _ outside: String) throws -> Void)
        throws
    {
        let top = NSTemporaryDirectory() + "docent-folder-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: top) }
        for name in ["given/inner", "outside"] {
            try FileManager.default.createDirectory(atPath: top + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["given/inside", "given/inner/deep", "outside/secret"] {
            try Data(repeating: 7, count: 100_000).write(to: URL(filePath: top + "/" + name))
        }
        #expect(symlink(top + "/outside", top + "/given/link") == 0)
        #expect(symlink(top + "/outside/secret", top + "/given/alias") == 0)
        #expect(mkfifo(top + "/given/pipe", 0o600) == 0)
        try body(try #require(ProviderFolder(path: top + "/given")), top + "/given", top + "/outside")
    }

    @Test("regular files in it are read, at any depth", arguments: ["inside", "inner/deep", "inner/../inside"])
    func files(_ path: String) throws {
        try Self.with { folder, _, _ in
            #expect(folder.contains(path))
            let file = try #require(folder.file(path))
            #expect(file.contents() == [UInt8](repeating: 7, count: 100_000))
            let again = try #require(folder.file(path))
            #expect(again.contents(limit: 10).count == 10)
        }
    }

    @Test(
        "links, FIFOs, folders, paths through links and paths that lead out are no files",
        arguments: [
            ("alias", true), ("pipe", true), ("inner", true), ("link", true), ("link/secret", false),
            ("../outside/secret", false), ("/etc/passwd", false), ("missing", false), ("", false),
        ])
    func others(_ path: String, _ isThere: Bool) throws {
        try Self.with { folder, _, _ in
            #expect(folder.file(path) == nil)
            #expect(folder.contains(path) == isThere)
        }
    }

    @Test("folders are opened and created in it alone")
    func folders() throws {
        try Self.with { folder, path, outside in
            let inner = try #require(folder.folder("inner"))
            #expect(inner.contains("deep"))
            let itself = try #require(folder.folder(""))
            #expect(itself.contains("inside"))
            for name in ["link", "inside", "pipe", "alias", "../new", "inner/new"] { #expect(!folder.makeFolder(name)) }
            #expect(folder.folder("link") == nil && ProviderFolder(path: path + "/link") == nil)
            #expect(folder.makeFolder("new") && folder.makeFolder("new"))
            let names = try FileManager.default.contentsOfDirectory(atPath: outside)
            #expect(names == ["secret"])
            #expect(access(path + "/new", F_OK) == 0 && access(path + "/inner/new", F_OK) != 0)
        }
    }

    @Test("an open folder stays the same when its path leads elsewhere")
    func moved() throws {
        try Self.with { folder, path, outside in
            #expect(rename(path, path + ".moved") == 0 && symlink(outside, path) == 0)
            #expect(folder.contains("inside") && !folder.contains("secret"))
        }
    }

    @Test("what links lead to does not count on disk, and counting stops at a number of names")
    func usage() throws {
        try Self.with { folder, path, outside in
            try Data(repeating: 7, count: 8 << 20).write(to: URL(filePath: outside + "/large"))
            #expect((200_000..<1 << 20).contains(folder.bytesOnDisk(most: 1_000)))
            for index in 0..<50 {
                try Data(repeating: 7, count: 4_096).write(to: URL(filePath: "\(path)/inner/\(index)"))
            }
            #expect(folder.bytesOnDisk(most: 3) < folder.bytesOnDisk(most: 1_000))
        }
    }
}
