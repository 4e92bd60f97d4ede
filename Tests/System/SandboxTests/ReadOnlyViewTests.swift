import CLinux
import DocentTestSupport
import Foundation
import Glibc
import Storage
import Testing

@testable import ExtensionHosting

@Suite("The read-only view of the containers", .needs(.programs)) struct ReadOnlyViewTests {
    private static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = "/tmp/docent-view-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder + "/Groups/g", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private static func own(_ path: String) -> OwnPath {
        StorageLayout(dataDirectory: path, runtimeDirectory: path).dataDirectory
    }

    private static func put(_ text: String, at path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private static func text(_ file: OpenDescriptor) -> String {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = pread(file.number, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// The error of each way to change a file through a descriptor opened for reading; 0 for success.
    private static func attacks(_ number: CInt) -> [String: CInt] {
        let way = "/proc/self/fd/\(number)"
        func failure(_ result: Int) -> CInt { result < 0 ? errno : 0 }
        func reopen(_ flags: CInt) -> CInt {
            let other = open(way, flags)
            defer { if other >= 0 { close(other) } }
            return failure(Int(other))
        }
        var results: [String: CInt] = [:]
        results["write"] = reopen(O_WRONLY)
        results["append"] = reopen(O_RDWR | O_APPEND)
        results["truncate at opening"] = reopen(O_WRONLY | O_TRUNC)
        results["truncate"] = failure(Int(truncate(way, 0)))
        results["fchmod"] = failure(Int(fchmod(number, 0o777)))
        results["chmod"] = failure(Int(chmod(way, 0o777)))
        results["fchown"] = failure(Int(fchown(number, getuid(), getgid())))
        results["futimens"] = failure(Int(futimens(number, nil)))
        results["setxattr"] = -clinux_set_attribute(number, "user.docent", "x", 1)
        return results
    }

    @Test("S4: a file opened through the view cannot be changed in any way, unlike with a plain descriptor")
    func attacked() throws {
        try Self.withFolder { folder in
            let view = ReadOnlyView(directory: Self.own(folder + "/Groups"))
            guard view.isPossible else { return }
            let path = folder + "/Groups/g/a.txt"
            try Self.put("hello", at: path)
            let file = try #require(try view.open(path: path))
            #expect(Self.text(file) == "hello")
            let seen = Self.attacks(file.number)
            #expect(seen.values.allSatisfy { $0 == EROFS }, "\(seen)")
            #expect(Self.text(file) == "hello")
            // The control.
            let plain = OpenDescriptor(owning: open(path, O_RDONLY))
            #expect(Self.attacks(plain.number).filter { $0.value == EROFS }.isEmpty)
            #expect(Self.text(file).isEmpty, "the file itself was truncated through the plain descriptor")
        }
    }

    @Test("S4: the view outlives its helper and shows later replacements, and a descriptor keeps the old content")
    func later() throws {
        try Self.withFolder { folder in
            let view = ReadOnlyView(directory: Self.own(folder + "/Groups"))
            guard view.isPossible else { return }
            let path = folder + "/Groups/g/a.txt"
            try Self.put("one", at: path)
            let first = try #require(try view.open(path: path))
            try Self.put("two", at: path)
            #expect(Self.text(try #require(try view.open(path: path))) == "two")
            #expect(Self.text(first) == "one")
            try FileManager.default.createDirectory(atPath: folder + "/Groups/h", withIntermediateDirectories: true)
            try Self.put("three", at: folder + "/Groups/h/b.txt")
            #expect(Self.text(try #require(try view.open(path: folder + "/Groups/h/b.txt"))) == "three")
        }
    }

    @Test("S4: exactly the file that a descriptor has open is found, neither a replacement nor a file elsewhere")
    func same() throws {
        try Self.withFolder { folder in
            let view = ReadOnlyView(directory: Self.own(folder + "/Groups"))
            guard view.isPossible else { return }
            let path = folder + "/Groups/g/a.txt"
            try Self.put("one", at: path)
            let plain = OpenDescriptor(owning: open(path, O_RDONLY))
            #expect(Self.text(try #require(view.open(sameAs: plain))) == "one")
            try Self.put("two", at: path)
            #expect(view.open(sameAs: plain) == nil)
            try Self.put("out", at: folder + "/out.txt")
            #expect(view.open(sameAs: OpenDescriptor(owning: open(folder + "/out.txt", O_RDONLY))) == nil)
        }
    }

    @Test("S4: a single file has its own view, which cannot change it; no other file is accessible")
    func single() throws {
        try Self.withFolder { folder in
            guard ReadOnlyView(directory: Self.own(folder + "/Groups")).isPossible else { return }
            let views = ReadOnlyViews([])
            let path = folder + "/a.txt"
            try Self.put("one", at: path)
            let plain = OpenDescriptor(owning: open(path, O_RDONLY))
            let file = try #require(views.open(sameAs: plain))
            #expect(Self.text(file) == "one")
            let seen = Self.attacks(file.number)
            #expect(seen.values.allSatisfy { $0 == EROFS }, "\(seen)")
            #expect(try FileStatus(of: file.number).identity == FileStatus(of: plain.number).identity)
            try Self.put("two", at: path)
            #expect(views.open(sameAs: plain) == nil)
            #expect(Self.text(file) == "one")
            // Also through a link, and when nothing is left.
            try FileManager.default.removeItem(atPath: path)
            #expect(symlink("/etc/passwd", path) == 0)
            #expect(views.open(sameAs: plain) == nil)
            try FileManager.default.removeItem(atPath: path)
            #expect(views.open(sameAs: plain) == nil)
        }
    }

    @Test("F3: links, files that are not regular, and paths out of the directory are refused")
    func refused() throws {
        try Self.withFolder { folder in
            let view = ReadOnlyView(directory: Self.own(folder + "/Groups"))
            guard view.isPossible else { return }
            try Self.put("secret", at: folder + "/secret.txt")
            try #require(symlink(folder + "/secret.txt", folder + "/Groups/g/link") == 0)
            try #require(symlink(folder, folder + "/Groups/g/up") == 0)
            try #require(mkfifo(folder + "/Groups/g/fifo", 0o600) == 0)
            for path in ["g/link", "g/up/secret.txt", "../secret.txt", "g/../../secret.txt", "g/fifo", "g", "g/none"] {
                #expect(throws: FileSystemError.self) { try view.open(path: folder + "/Groups/" + path) }
            }
            #expect(try view.open(path: folder + "/secret.txt") == nil)
            #expect(try ReadOnlyView(directory: Self.own(folder + "/none")).open(path: folder + "/none/a") == nil)
        }
    }
}
