import Foundation
import Glibc
import Testing

@testable import Documents

/// The client's part of a move: (d) to (f) of MECHANISMS W.
@Suite struct MoveSourceTests {
    private func withFile(_ text: String, _ body: (_ folder: String, _ path: String) throws -> Void) throws {
        let folder = "/tmp/docent-move-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/a.txt"))
        try body(folder, folder + "/a.txt")
    }

    private func identity(_ path: String) -> MoveSource.Identity {
        var status = stat()
        stat(path, &status)
        return .init(
            device: Int(status.st_dev), inode: Int(status.st_ino), size: Int(status.st_size),
            modificationNanoseconds: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
    }

    @Test("X14: the source is removed after it was copied")
    func removes() throws {
        try withFile("x") { folder, path in
            let source = try MoveSource(path: path)
            #expect(source.remove(operation: "op", copied: identity(path)) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test("X14: a source that changed after it was copied stays under its name")
    func changed() throws {
        try withFile("x") { folder, path in
            let source = try MoveSource(path: path)
            let copied = identity(path)
            try Data("longer".utf8).write(to: URL(fileURLWithPath: path))
            #expect(source.remove(operation: "op", copied: copied) != nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.txt"])
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "longer")
        }
    }

    @Test("X14: another file that took the source's place stays")
    func replaced() throws {
        try withFile("x") { folder, path in
            let source = try MoveSource(path: path)
            let copied = identity(path)
            try Data("other".utf8).write(to: URL(fileURLWithPath: folder + "/b"))
            rename(folder + "/b", path)
            #expect(source.remove(operation: "op", copied: copied) != nil)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
        }
    }

    @Test("W Move (e): a source that a program still has open for writing stays")
    func writerLeft() throws {
        try withFile("x") { _, path in
            let writer = open(path, O_WRONLY)
            defer { close(writer) }
            let source = try MoveSource(path: path)
            #expect(source.remove(operation: "op", copied: identity(path)) != nil)
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("F1: links, folders and pipes are refused as sources", arguments: ["link", "folder", "pipe", "missing"])
    func refused(_ kind: String) throws {
        try withFile("x") { folder, path in
            let other = folder + "/" + kind
            switch kind {
            case "link": symlink(path, other)
            case "folder": mkdir(other, 0o700)
            case "pipe": mkfifo(other, 0o600)
            default: break
            }
            #expect(throws: DocumentsError.self) { _ = try MoveSource(path: other) }
        }
    }
}
