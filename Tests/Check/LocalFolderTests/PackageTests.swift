import FileProvider
import Foundation
import Glibc
import LocalFolder
import Synchronization
import Testing

/// Packages in place: a save replaces the whole package atomically, and never loses other programs' saves (M4, W).
@Suite struct PackageTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one", "Assets/deep/2.png": "two"]

    @Test("M4: a save replaces the package as a whole, and keeps unchanged elements")
    func replaces() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let before = try await fixture.elements(package.identifier)
            let result = try await fixture.save(
                package, ["TXT.rtf": "new text", "Assets/deep/2.png": nil as String?, "more/3.txt": "three"])
            #expect(result.conflict == nil)
            #expect(result.item.identifier == package.identifier)
            #expect(
                try fixture.readPackage("Note.rtfd") == [
                    "TXT.rtf": "new text", "Assets/1.png": "one", "more/3.txt": "three",
                ])
            #expect(try fixture.names() == ["Note.rtfd"])
            // Elements keep their identifiers, also after a restart.
            try fixture.restart()
            for path in ["TXT.rtf", "Assets/1.png", "Assets"] {
                let old = try #require(before.first { $0.path == path }?.item.identifier)
                let now = try await fixture.provider.item(for: old)
                #expect(now.filename == path.split(separator: "/").last.map(String.init))
            }
            let again = try await fixture.provider.item(for: package.identifier)
            #expect(again.filename == "Note.rtfd")
        }
    }

    @Test("N3: an unchanged element is a copy, not a hard link to the old one")
    func copiesUnchanged() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let old = open(fixture.path + "/Note.rtfd/Assets/1.png", O_RDONLY | O_CLOEXEC)
            defer { close(old) }
            var before = stat()
            fstat(old, &before)
            _ = try await fixture.save(package, ["TXT.rtf": "new"])
            var after = stat()
            #expect(stat(fixture.path + "/Note.rtfd/Assets/1.png", &after) == 0)
            #expect(after.st_ino != before.st_ino)
            #expect(after.st_nlink == 1)
            #expect(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        }
    }

    @Test("W, in place: another program's concurrent save in the package is kept", arguments: ["before", "during"])
    func keepsForeign(when: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let base = try await fixture.version(package.identifier)
            if when == "before" { try fixture.saveElsewhere("foreign", to: "Note.rtfd/TXT.rtf") }
            let copy = fixture
            let result = try await fixture.save(package, ["TXT.rtf": "ours"], base: base) {
                if when == "during" { try copy.saveElsewhere("foreign", to: "Note.rtfd/TXT.rtf") }
            }
            #expect(try fixture.read("Note.rtfd/TXT.rtf") == "ours")
            let kept = try await fixture.provider.item(for: try #require(result.conflict))
            #expect(kept.filename.hasPrefix("Note (conflict ") && kept.filename.hasSuffix(".rtfd"))
            #expect(try fixture.read(kept.filename + "/TXT.rtf") == "foreign")
            #expect(kept.identifier != package.identifier)
            // No two items have the same identifier.
            let all = try await fixture.elements(.rootContainer)
            #expect(Set(all.map(\.item.identifier)).count == all.count)
        }
    }

    @Test("W, in place: a package in which another program still writes is kept")
    func keepsWriter() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let writer = open(fixture.path + "/Note.rtfd/Assets/1.png", O_WRONLY | O_CLOEXEC)
            try #require(writer >= 0)
            let result = try await fixture.save(package, ["TXT.rtf": "ours"])
            close(writer)
            #expect(result.conflict != nil)
        }
    }

    @Test("M4: a reader sees either the old or the new package, never a mixture", .timeLimit(.minutes(3)))
    func isAtomic() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("p.rtfd", ["a": "0", "b": "0", "c/d": "0"])
            let package = try await fixture.child("p.rtfd")
            let path = fixture.path
            let progress = Progress()
            let reader = Thread {
                while !progress.isDone {
                    // An open directory keeps its contents.
                    let folder = open(path + "/p.rtfd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    guard folder >= 0 else { return progress.note(texts: nil) }
                    var texts: Set<String> = []
                    for name in ["a", "b", "c/d"] {
                        let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
                        guard file >= 0 else { continue }
                        var bytes = [UInt8](repeating: 0, count: 16)
                        let count = max(0, read(file, &bytes, bytes.count))
                        texts.insert(String(decoding: bytes.prefix(count), as: UTF8.self))
                        close(file)
                    }
                    close(folder)
                    progress.note(texts: texts)
                }
            }
            reader.start()
            var last = ""
            // Until the reader has looked often enough between the saves.
            for number in 1...5_000 {
                if number > 40, progress.looks >= 200 { break }
                last = "\(number)"
                _ = try await fixture.save(package, ["a": last, "b": last, "c/d": last])
            }
            progress.end()
            #expect(progress.looks >= 200)
            // Elements of a displaced package may be gone, but are never mixed, and the package's name always exists.
            #expect(progress.faults == 0)
            #expect(try fixture.readPackage("p.rtfd") == ["a": last, "b": last, "c/d": last])
            #expect(try fixture.names() == ["p.rtfd"])
        }
    }

    private final class Progress: Sendable {
        private let state = Mutex((looks: 0, faults: 0, isDone: false))

        var looks: Int { state.withLock { $0.looks } }
        var faults: Int { state.withLock { $0.faults } }
        var isDone: Bool { state.withLock { $0.isDone } }

        func end() { state.withLock { $0.isDone = true } }

        func note(texts: Set<String>?) {
            state.withLock { state in
                state.looks += 1
                if texts.map({ $0.count > 1 }) ?? true { state.faults += 1 }
            }
        }
    }

    @Test("W: a repeated operation is answered as before, also by another process")
    func repeats() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let (base, parts) = try await fixture.plan(package, ["TXT.rtf": "ours"])
            let operation = ChangeOperation(identifier: "op-1", digest: "list")
            let target = PackageTarget.existing(package.identifier, baseVersion: base)
            let first = try await fixture.provider.beginPackage(target, elements: parts, operation: operation)
            try await first.stage("TXT.rtf", contents: fixture.contents("ours"))
            _ = try await first.commit()
            try fixture.restart()
            try fixture.write("later", to: "Note.rtfd/TXT.rtf")
            let again = try await fixture.provider.beginPackage(target, elements: parts, operation: operation)
            #expect(again.neededPaths.isEmpty)
            let result = try await again.commit()
            #expect(result.item.identifier == package.identifier)
            #expect(try fixture.read("Note.rtfd/TXT.rtf") == "later")
        }
    }

    @Test(
        "M4: hostile paths never leave the package",
        arguments: [
            "../evil", "a/../../evil", "/tmp/evil", "", ".docent-save-0123456789abcdef0123456789abcdef", "a\0b",
        ])
    func refusesPath(path: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let refused = await code {
                _ = try await fixture.provider.beginPackage(
                    .existing(package.identifier, baseVersion: nil),
                    elements: [PackageElement(path: path, isFolder: false, size: 1, digest: "d")],
                    operation: ChangeOperation(identifier: "op", digest: "x"))
            }
            #expect(refused == .invalidArgument)
            #expect(try fixture.names() == ["Note.rtfd"])
        }
    }

    @Test(
        "M4: a package that contains a link is not replaced, and the link stays",
        arguments: ["link", "hard link", "FIFO"])
    func refusesSpecial(what: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let special = fixture.path + "/Note.rtfd/special"
            switch what {
            case "link": #expect(symlink("/etc/passwd", special) == 0)
            case "FIFO": #expect(mkfifo(special, 0o600) == 0)
            default: #expect(link(fixture.path + "/Note.rtfd/TXT.rtf", special) == 0)
            }
            let refused = await code { _ = try await fixture.save(package, ["TXT.rtf": "ours"]) }
            #expect(refused == .notPermitted)
            #expect(access(special, F_OK) == 0 || what == "link")
            #expect(try fixture.read("Note.rtfd/TXT.rtf") == "text")
            #expect(try fixture.names() == ["Note.rtfd"])
        }
    }

    @Test("W, in place: the modes of files and folders are preserved")
    func carriesModes() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            chmod(fixture.path + "/Note.rtfd", 0o750)
            chmod(fixture.path + "/Note.rtfd/Assets", 0o711)
            chmod(fixture.path + "/Note.rtfd/TXT.rtf", 0o640)
            chmod(fixture.path + "/Note.rtfd/Assets/1.png", 0o604)
            let package = try await fixture.child("Note.rtfd")
            _ = try await fixture.save(package, ["TXT.rtf": "ours"])
            func mode(_ path: String) -> mode_t {
                var status = stat()
                return stat(fixture.path + "/Note.rtfd/" + path, &status) == 0 ? status.st_mode & 0o7777 : 0
            }
            #expect(["", "Assets", "TXT.rtf", "Assets/1.png"].map(mode) == [0o750, 0o711, 0o640, 0o604])
        }
    }

    @Test("M4: a save with missing content commits nothing")
    func refusesIncomplete() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.makePackage("Note.rtfd", Self.content)
            let package = try await fixture.child("Note.rtfd")
            let (base, parts) = try await fixture.plan(package, ["TXT.rtf": "ours"])
            let provider = fixture.provider
            let refused = await code {
                let replacement = try await provider.beginPackage(
                    .existing(package.identifier, baseVersion: base), elements: parts,
                    operation: ChangeOperation(identifier: "op", digest: "x"))
                _ = try await replacement.commit()
            }
            #expect(refused == .invalidArgument)
            #expect(try fixture.readPackage("Note.rtfd") == Self.content)
            #expect(try fixture.names() == ["Note.rtfd"])
        }
    }

    @Test("M4: a new package appears whole, never replaces an item, and is not created twice")
    func creates() async throws {
        try await LocalFolderFixture.with { fixture in
            let parts = [
                PackageElement(path: "TXT.rtf", isFolder: false, size: 4, digest: "d"),
                PackageElement(path: "empty", isFolder: true),
            ]
            let operation = ChangeOperation(identifier: "op", digest: "x")
            let target = PackageTarget.new(parent: .rootContainer, filename: "New.rtfd")
            let replacement = try await fixture.provider.beginPackage(target, elements: parts, operation: operation)
            try await replacement.stage("TXT.rtf", contents: fixture.contents("text"))
            #expect(try fixture.names().filter { !$0.hasPrefix(".") }.isEmpty)
            let made = try await replacement.commit()
            #expect(try fixture.readPackage("New.rtfd") == ["TXT.rtf": "text"])
            #expect(try fixture.names("New.rtfd") == ["TXT.rtf", "empty"])
            try fixture.restart()
            let again = try await fixture.provider.beginPackage(target, elements: parts, operation: operation)
            #expect(again.neededPaths.isEmpty)
            #expect(try await again.commit().item.identifier == made.item.identifier)
            let other = try await fixture.provider.beginPackage(
                target, elements: [], operation: ChangeOperation(identifier: "op 2", digest: "y"))
            let refused = await code { _ = try await other.commit() }
            #expect(refused == .filenameCollision)
        }
    }
}
