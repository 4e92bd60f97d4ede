import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing
import Varlink

/// The trash of a folder on this machine, and undo, through the daemon and the command line.
@Suite(.needs(.daemon)) struct TrashLocalTests {
    struct Entry: Decodable {
        var identifier: String
        var name: String
        var originalLocation: String?
        var deletedDate: String?
        var size: Int?
        var isFolder: Bool
        var provider: String
        var domain: String
    }

    struct Change: Decodable {
        var kind: String
        var location: String?
        var changedLocation: String?
    }

    static func entries(_ installation: Installation) async throws -> [Entry] {
        try await installation.docent("trash", "list", "--json").succeeded().json([Entry].self)
    }

    private static func place(_ installation: Installation) -> String {
        "\(installation.documents)/.Trash-\(getuid())"
    }

    @Test("O15: a document and a folder go to the trash, are listed there, and come back with their rights")
    func trash() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Folder", withIntermediateDirectories: true)
            try installation.write("deep", to: "Folder/deep.txt")
            let bookmark = try await installation.bookmark("LocalFolder:/a.txt").bookmark
            let deep = try await installation.bookmark("LocalFolder:/Folder/deep.txt").bookmark
            let removed = try await installation.docent("rm", "LocalFolder:/a.txt").succeeded()
            #expect(
                removed.text == "LocalFolder:/a.txt: moved to the trash of LocalFolder; `docent undo` brings it back\n")
            #expect(try await installation.docent("rm", "LocalFolder:/Folder").status == 6)
            try await installation.docent("rm", "-r", "LocalFolder:/Folder").succeeded()
            #expect(try await installation.docent("ls", "LocalFolder:/").succeeded().text.isEmpty)
            #expect(try await installation.read(bookmark: bookmark).status == 2)
            let listed = try await Self.entries(installation)
            #expect(Set(listed.map(\.name)) == ["a.txt", "Folder"])
            let entry = try #require(listed.first { $0.name == "a.txt" })
            #expect(entry.originalLocation?.hasSuffix("LocalFolder:/a.txt") == true && entry.size == 4)
            #expect(entry.deletedDate != nil && !entry.isFolder && entry.domain.isEmpty)

            // By its identifier, and by where it was.
            let restored = try await installation.docent("trash", "restore", entry.identifier).succeeded()
            #expect(restored.text.hasSuffix("LocalFolder:/a.txt\n"))
            try await installation.docent("trash", "restore", "LocalFolder:/Folder", "--to", "LocalFolder:/Other")
                .succeeded()
            #expect(try await installation.read(bookmark: bookmark).succeeded().text == "mine")
            #expect(try await installation.read(bookmark: deep).succeeded().text == "deep")
            #expect(installation.read(installation.documents + "/Other/deep.txt") == "deep")
            #expect(try await Self.entries(installation).isEmpty)
            #expect(try await installation.docent("trash", "restore", "LocalFolder:/a.txt").status == 2)

            // For good.
            let gone = try await installation.docent("rm", "--permanently", "LocalFolder:/a.txt").succeeded()
            #expect(gone.text == "LocalFolder:/a.txt: deleted for good\n")
            #expect(try await Self.entries(installation).isEmpty)
            try await installation.docent("rm", "-r", "LocalFolder:/Other").succeeded()
            #expect(try await installation.docent("trash", "empty", "LocalFolder").status == 64)
            let emptied = try await installation.docent("trash", "empty", "LocalFolder", "--yes", "--json").succeeded()
            #expect(try emptied.json([String: Int].self) == ["deleted": 1])
            #expect(try FileManager.default.contentsOfDirectory(atPath: Self.place(installation) + "/files").isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: Self.place(installation) + "/info").isEmpty)
        }
    }

    @Test("O16: undo takes back a deletion, a move and a rename, the last one first, and replaces nothing newer")
    func undo() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Folder", withIntermediateDirectories: true)
            #expect(try await installation.docent("undo").status == 2)
            try await installation.docent("rename", "LocalFolder:/a.txt", "b.txt").succeeded()
            try await installation.docent("rename", "LocalFolder:/b.txt", "/Folder/").succeeded()
            try await installation.docent("rm", "LocalFolder:/Folder/b.txt").succeeded()
            let kinds = ["delete", "move", "rename"]
            let places = ["/Folder/b.txt", "/b.txt", "/a.txt"]
            for (kind, place) in zip(kinds, places) {
                let undone = try await installation.docent("undo", "--yes", "--json").succeeded().json(Change.self)
                #expect(undone.kind == kind && undone.location?.hasSuffix(":" + place) == true, "\(undone)")
                #expect(installation.read(installation.documents + place) == "one")
            }
            #expect(try await installation.docent("undo").status == 2)

            // Something newer in the former place.
            try await installation.docent("rm", "LocalFolder:/a.txt").succeeded()
            try installation.write("newer", to: "a.txt")
            let refused = try await installation.docent("undo", "--yes")
            #expect(refused.status == 6 && refused.errors.contains("cannot be taken back"), "\(refused)")
            #expect(installation.read(installation.documents + "/a.txt") == "newer")
            try FileManager.default.removeItem(atPath: installation.documents + "/a.txt")
            try await installation.docent("undo").succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "one")

            // What was deleted for good stays the last change, and is not skipped.
            try await installation.docent("rename", "LocalFolder:/a.txt", "c.txt").succeeded()
            try await installation.docent("rm", "--permanently", "LocalFolder:/c.txt").succeeded()
            let lost = try await installation.docent("undo", "--yes")
            #expect(lost.status == 6 && lost.errors.contains("for good"), "\(lost)")
        }
    }

    @Test(
        "O15, O16: after a kill at any step of a deletion it is done or not, and is taken back",
        arguments: Sample.shared.of([WriteStep.committed, .sent]))
    func kills(step: WriteStep) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            let bookmark = try await installation.bookmark("LocalFolder:/a.txt").bookmark
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step.rawValue)
            async let removing = installation.docent("rm", "LocalFolder:/a.txt")
            try await installation.waitForEnd(of: daemon)
            // The command repeats it with the next daemon.
            let removed = try await removing.succeeded()
            #expect(removed.text.contains("moved to the trash"), "\(removed)")
            #expect(installation.read(installation.documents + "/a.txt") == nil)
            #expect(try await Self.entries(installation).count == 1)
            try await installation.docent("undo", "--yes").succeeded()
            #expect(try await installation.read(bookmark: bookmark).succeeded().text == "mine")
            #expect(try await installation.docent("undo").status == 2)
        }
    }

    @Test(
        "O15: a hostile trash folder leads nowhere: links, foreign files, and records with paths that leave the folder")
    func hostile() async throws {
        try await Installation.withLocalFolder { installation in
            let place = Self.place(installation)
            let outside = installation.documents + "-outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: outside) }
            try installation.write("mine", to: "a.txt")
            try #require(symlink(outside, place) == 0)
            let refused = try await installation.docent("rm", "LocalFolder:/a.txt")
            #expect(refused.status == 3 && refused.errors.contains("cannot be used"), "\(refused)")
            #expect(installation.read(installation.documents + "/a.txt") == "mine")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
            try FileManager.default.removeItem(atPath: place)

            try await installation.docent("rm", "LocalFolder:/a.txt").succeeded()
            try "[Trash Info]\nPath=../outside.txt\nDeletionDate=2026-01-02T03:04:05\n"
                .write(toFile: place + "/info/a.txt.trashinfo", atomically: false, encoding: .utf8)
            try "foreign \u{1B}[31m".write(
                toFile: place + "/files/foreign\u{1B}[31m.txt", atomically: false, encoding: .utf8)
            try #require(symlink("/etc/passwd", place + "/files/passwd") == 0)
            let listed = try await Self.entries(installation)
            #expect(listed.first { $0.name == "a.txt" }?.originalLocation == nil)
            let table = try await installation.docent("trash").succeeded()
            #expect(!table.text.contains("\u{1B}"), "\(table)")
            let entry = try #require(listed.first { $0.name == "a.txt" })
            #expect(try await installation.docent("trash", "restore", entry.identifier).status == 2)
            try await installation.docent("trash", "restore", entry.identifier, "--to", "LocalFolder:/").succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "mine")
            for name in ["passwd", ".."] {
                let restored = try await installation.docent(
                    "trash", "restore", listed.first { $0.name == name }?.identifier ?? name, "--to", "LocalFolder:/")
                #expect(restored.status != 0, "\(restored)")
            }
            #expect(!FileManager.default.fileExists(atPath: installation.documents + "/../outside.txt"))
        }
    }

    @Test("O15: a confined client's deletion goes to the trash, which it can neither see nor use")
    func confined() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            try await installation.docent("grants", "add", "org.example.Editor", "LocalFolder:/").succeeded()
            let administrator = installation.client()
            defer { administrator.close() }
            let item = try await DocumentPicker(client: administrator).item(at: IsolationTests.location("/a.txt"))
            let reference = item.reference.wire
            try await IsolationTests.withConfinedClient(installation, "org.example.Editor") { client in
                let deleted = try await client.call(
                    DocumentsInterface.Delete.self, .init(reference: reference, operation: UUID().uuidString)
                ).value
                #expect(deleted.trashed == true)
                let refused = await IsolationTests.failure {
                    _ = try await client.call(
                        AdministrationInterface.ListTrash.self, .init(provider: reference.provider, domain: ""))
                }
                #expect(refused == .notPermitted)
                for body in [
                    { _ = try await client.call(AdministrationInterface.LastChange.self, .init()) },
                    { _ = try await client.call(AdministrationInterface.Undo.self, .init(identifier: "x")) },
                    {
                        _ = try await client.call(
                            AdministrationInterface.DeleteTrashed.self,
                            .init(provider: reference.provider, domain: "", identifier: "x"))
                    },
                ] as [() async throws -> Void] {
                    #expect(await IsolationTests.failure(body) == .notPermitted)
                }
                // Nothing of the trash is in a folder that it may read.
                let root = Wire.ItemReference(provider: reference.provider, domain: "", identifier: ".root")
                let names = try await client.call(DocumentsInterface.List.self, .init(reference: root)).value.items
                #expect(names.map(\.name) == [])
                let gone = await IsolationTests.failure {
                    _ = try await client.call(DocumentsInterface.Info.self, .init(reference: reference))
                }
                #expect(gone == .notFound || gone == .notPermitted, "\(String(describing: gone))")
            }
            try await installation.docent("undo", "--yes").succeeded()
            #expect(installation.read(installation.documents + "/a.txt") == "mine")
        }
    }

    @Test("O16: a save is taken back, and then the one before; not one that somebody has saved over")
    func saves() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            for text in ["two", "three"] {
                try await installation.docent("write", "LocalFolder:/a.txt", input: Data(text.utf8)).succeeded()
            }
            let change = try await installation.docent("undo", "--yes", "--json").succeeded().json(Change.self)
            #expect(change.kind == "overwrite" && change.location == "org.docent.LocalFolder:/a.txt")
            #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "two")
            // Taking back is no change of its own.
            try await installation.docent("undo", "--yes").succeeded()
            #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "one")

            try await installation.docent("write", "LocalFolder:/a.txt", input: Data("mine".utf8)).succeeded()
            try installation.write("theirs", to: "a.txt")
            let refused = try await installation.docent("undo", "--yes")
            #expect(refused.status == 6 && refused.errors.contains("was changed since"), "\(refused.errors)")
            #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "theirs")
        }
    }
}
