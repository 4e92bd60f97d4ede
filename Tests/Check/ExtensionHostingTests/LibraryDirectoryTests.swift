import DocentInterfaces
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

/// The files in a provider's own directory, and those beside a library in a shared one.
@Suite struct LibraryDirectoryTests {
    private let root: String

    init() throws {
        let path = NSTemporaryDirectory() + "docent-libraries-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        root = try #require(PathLookup.canonical(path))
    }

    private func make(_ names: String...) throws {
        for name in names {
            let file = URL(filePath: root + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: file)
        }
    }

    @Test("a directory belongs to a provider if it has the provider's identifier, in a directory for libraries")
    func own() {
        let place = "/usr/lib/docent/providers/org.example.A"
        #expect(LibraryClosure.ownDirectory(of: place + "/libA.so", provider: "org.example.A") == place)
        #expect(LibraryClosure.ownDirectory(of: place + "/sub/libA.so", provider: "org.example.A") == place)
        for other in ["org.example.B", "org.example", "example.A"] {
            #expect(LibraryClosure.ownDirectory(of: place + "/libA.so", provider: other) == nil)
        }
        #expect(LibraryClosure.ownDirectory(of: "/home/u/org.example.A/libA.so", provider: "org.example.A") == nil)
        #expect(LibraryClosure.ownDirectory(of: "/usr/lib/docent/providers/libA.so", provider: "org.example.A") == nil)
    }

    @Test("15, S3: every file in it is checked before a start; a directory with too many is refused")
    func files() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try make("libA.so", "libprivate.so.1.2", "data/words")
        symlink("libprivate.so.1.2", root + "/libprivate.so.1")
        let files = try #require(LibraryClosure.files(in: root, besides: root + "/libA.so"))
        #expect(files == ["data", "data/words", "libprivate.so.1", "libprivate.so.1.2"].map { root + "/" + $0 })
        let trusted = LibraryFiles(library: root + "/libA.so", companions: files)
        chmod(root + "/data/words", 0o666)
        #expect(!trusted.isUnchanged)
        #expect(trusted.distrust(provider: "p")?.failure.message.contains("data/words") == true)
        for number in 0..<LibraryClosure.mostFiles { try make("many/\(number)") }
        #expect(LibraryClosure.files(in: root, besides: root + "/libA.so") == nil)
    }

    @Test("a library in a shared directory is shown with its neighbours, and the links between them, as before")
    func companions() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try make("libA.so", "libB.so", "libprivate.so.1.2", "words", "org.example.C/libC.so")
        symlink("libprivate.so.1.2", root + "/libprivate.so.1")
        symlink("/etc/passwd", root + "/libout.so")
        let beside = LibraryClosure.companions(of: root + "/libA.so").map { String($0.dropFirst(root.count + 1)) }
        #expect(beside == ["libB.so", "libprivate.so.1", "libprivate.so.1.2"])
    }
}
