import CLinux
import FileProvider
import Foundation
import Glibc
import LocalFolder
import Testing

@Suite struct LocalFolderSaveTests {
    @Test("W, in place: another program's concurrent save is kept", arguments: ["rename", "write"])
    func keepsForeignSave(how: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc.txt")
            let item = try await fixture.child("doc.txt")
            _ = try await fixture.provider.item(for: item.identifier)
            if how == "rename" {
                try fixture.saveElsewhere("foreign", to: "doc.txt")
            } else {
                try fixture.write("foreign", to: "doc.txt")
            }
            let result = try await fixture.modify(item, to: "ours")
            #expect(result.item.identifier == item.identifier)
            #expect(try fixture.read("doc.txt") == "ours")
            let conflict = try #require(result.conflict)
            #expect(conflict != item.identifier)
            let kept = try await fixture.provider.item(for: conflict)
            #expect(kept.filename.hasPrefix("doc (conflict "))
            #expect(kept.filename.hasSuffix(".txt"))
            #expect(try fixture.read(kept.filename) == "foreign")
            try fixture.restart()
            let (own, other) = (try await fixture.text(item.identifier), try await fixture.text(conflict))
            #expect(own == "ours")
            #expect(other == "foreign")
        }
    }

    @Test("W, in place: a file that another program still writes is kept")
    func keepsFileWithWriter() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            let item = try await fixture.child("doc")
            let writer = open(fixture.path + "/doc", O_WRONLY | O_APPEND | O_CLOEXEC)
            try #require(writer >= 0)
            let result = try await fixture.modify(item, to: "ours")
            let written = Glibc.write(writer, " and more", 9)
            close(writer)
            #expect(written == 9)
            let text = try await fixture.text(try #require(result.conflict))
            #expect(text == "base and more")
        }
    }

    @Test("Law 6: concurrent saves lose nothing", .timeLimit(.minutes(2)))
    func losesNothing() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("foreign 0", to: "doc")
            let item = try await fixture.child("doc")
            let path = fixture.path
            // The other program sees what it displaces, and works outside: the identifier would follow a file that it
            // moves.
            let foreign = Task.detached {
                let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                defer { close(folder) }
                var displaced: Set<String> = []
                for number in 1...60 {
                    try Data("foreign \(number)".utf8).write(to: URL(filePath: path + "/../other"), options: [])
                    guard clinux_renameat2(folder, "../other", folder, "doc", CLINUX_RENAME_EXCHANGE) == 0 else {
                        continue
                    }
                    displaced.insert(try String(contentsOf: URL(filePath: path + "/../other"), encoding: .utf8))
                    try await Task.sleep(for: .microseconds(number * 40))
                }
                unlink(path + "/../other")
                return displaced
            }
            var accounted: Set<String> = []
            var saved: Set<String> = []
            for number in 1...60 {
                do {
                    let now = try await fixture.provider.item(for: item.identifier)
                    let base = try await fixture.text(item.identifier)
                    let result = try await fixture.modify(now, to: "ours \(number)")
                    saved.insert("ours \(number)")
                    if result.conflict == nil { accounted.insert(base) }
                } catch let error as FileProviderError where [.noSuchItem, .versionOutOfDate].contains(error.code) {
                    continue
                }
            }
            accounted.formUnion(try await foreign.value)
            let names = try fixture.names()
            for name in names { accounted.insert(try fixture.read(name)) }
            let written = saved.union((0...60).map { "foreign \($0)" })
            #expect(!saved.isEmpty)
            #expect(written.subtracting(accounted).isEmpty)
            #expect(names.allSatisfy { !$0.hasPrefix(".docent-") })
        }
    }

    @Test("W, in place: hard links, read-only files and special files are refused with the reason")
    func refuses() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("linked", to: "linked")
            try #require(link(fixture.path + "/linked", fixture.path + "/second") == 0)
            try fixture.write("fixed", to: "fixed")
            try #require(chmod(fixture.path + "/fixed", 0o444) == 0)
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/folder", withIntermediateDirectories: true)
            for (name, word) in [("linked", "hard link"), ("fixed", "read-only"), ("folder", "not a document")] {
                let item = try await fixture.child(name)
                #expect(item.capabilities?.contains(.writing) == false)
                let modify = fixture
                let error = await #expect(throws: FileProviderError.self) {
                    _ = try await modify.modify(item, to: "ours")
                }
                #expect(error?.code == .notPermitted)
                #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            }
            #expect(try fixture.read("linked") == "linked")
            #expect(try fixture.read("fixed") == "fixed")
            #expect(try fixture.names() == ["fixed", "folder", "linked", "second"])
        }
    }

    @Test("W, in place: mode and attributes are preserved", arguments: [0o600, 0o644, 0o664, 0o755] as [UInt32])
    func carriesOver(mode: UInt32) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            try #require(chmod(fixture.path + "/doc", mode) == 0)
            let before = open(fixture.path + "/doc", O_RDWR | O_CLOEXEC)
            let hasAttribute = clinux_set_attribute(before, "user.docent.test", "v", 1) == 0
            close(before)
            _ = try await fixture.modify(try await fixture.child("doc"), to: "ours")
            var facts = stat()
            try #require(stat(fixture.path + "/doc", &facts) == 0)
            #expect(facts.st_mode & 0o7777 == mode)
            if hasAttribute {
                var value = [UInt8](repeating: 0, count: 8)
                let after = open(fixture.path + "/doc", O_RDONLY | O_CLOEXEC)
                defer { close(after) }
                #expect(clinux_get_attribute(after, "user.docent.test", &value, 8) == 1)
            }
        }
    }

    @Test("Repeated Modify: answered as before after a restart, without a second change or a conflict")
    func repeatsModify() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            let item = try await fixture.child("doc")
            let first = try await fixture.modify(item, to: "ours", operation: "op")
            try fixture.restart()
            let again = try await fixture.modify(item, to: "ours", operation: "op")
            #expect(again == first)
            #expect(try fixture.names() == ["doc"])
            // The same if another program saved in between: the operation was done.
            try fixture.write("later", to: "doc")
            let third = try await fixture.modify(item, to: "ours", operation: "op")
            #expect(third.conflict == nil)
            #expect(try fixture.read("doc") == "later")
        }
    }

    @Test("Repeated Create: answered as before after a restart; another operation collides")
    func repeatsCreate() async throws {
        try await LocalFolderFixture.with { fixture in
            func create(_ fixture: LocalFolderFixture, _ operation: String) async throws -> FileProviderItem {
                try await fixture.provider.createItem(
                    basedOn: ItemTemplate(parent: .rootContainer, filename: "new"), contents: fixture.contents("x"),
                    operation: ChangeOperation(identifier: operation, digest: "x"))
            }
            let first = try await create(fixture, "op")
            try fixture.restart()
            #expect(try await create(fixture, "op") == first)
            let other = fixture
            #expect(await code { _ = try await create(other, "another") } == .filenameCollision)
            #expect(try fixture.names() == ["new"])
        }
    }

    @Test("Law 6: repeating a save that a crash interrupted after the exchange completes it", arguments: [false, true])
    func resumes(foreign: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            let item = try await fixture.child("doc")
            _ = try await fixture.provider.item(for: item.identifier)
            if foreign { try fixture.saveElsewhere("foreign", to: "doc") }
            try fixture.crash(after: .exchange, item, to: "ours", operation: "op")
            #expect(try fixture.names().count == 2)
            try fixture.restart()
            let result = try await fixture.modify(item, to: "ours", operation: "op")
            #expect(result.item.identifier == item.identifier)
            #expect(try fixture.read("doc") == "ours")
            #expect((result.conflict != nil) == foreign)
            #expect(try fixture.names().count == (foreign ? 2 : 1))
            if let conflict = result.conflict {
                let text = try await fixture.text(conflict)
                #expect(text == "foreign")
            }
        }
    }

    @Test("Law 6: a save that a crash interrupted before the exchange starts over")
    func restartsSave() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            let item = try await fixture.child("doc")
            try fixture.crash(after: .staging, item, to: "ours", operation: "op")
            try fixture.restart()
            #expect(try await fixture.provider.item(for: item.identifier).version == item.version)
            let result = try await fixture.modify(item, to: "ours", operation: "op")
            #expect(result.conflict == nil)
            #expect(try fixture.read("doc") == "ours")
            #expect(try fixture.names() == ["doc"])
        }
    }

    @Test("Delete: only at the base version; a folder that is not empty only recursively")
    func deletes() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/folder/sub", withIntermediateDirectories: true)
            try fixture.write("x", to: "folder/sub/x")
            try fixture.write("old", to: "doc")
            try fixture.write("kept", to: "../outside")
            try FileManager.default.createSymbolicLink(
                atPath: fixture.path + "/folder/link", withDestinationPath: "../../outside")
            let item = try await fixture.child("doc")
            let folder = try await fixture.child("folder")
            try fixture.write("changed", to: "doc")
            let provider = fixture.provider
            func delete(_ item: FileProviderItem, recursive: Bool = false) async -> FileProviderError.Code? {
                await code {
                    try await provider.deleteItem(
                        item.identifier, baseVersion: item.version, recursive: recursive)
                }
            }
            #expect(await delete(item) == .versionOutOfDate)
            #expect(try fixture.read("doc") == "changed")
            #expect(await delete(try await fixture.child("doc")) == nil)
            #expect(await delete(folder) == .directoryNotEmpty)
            #expect(await delete(folder, recursive: true) == nil)
            #expect(try fixture.names() == [])
            #expect(try fixture.read("../outside") == "kept")
        }
    }
}
