import DocentTestSupport
import Documents
import Foundation
import Testing

/// Renaming, moving and deleting in-place items: rights are bound to the document, not to its name.
@Suite(.needs(.daemon, .server)) struct MoveLocalTests {
    @Test("F2, fault 5: a right survives a rename, and a new file under the old name inherits nothing")
    func rename() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Folder", withIntermediateDirectories: true)
            let opened = try await installation.bookmark("LocalFolder:/a.txt")
            let client = installation.client()
            let document = try await DocumentPicker(client: client).openDocument(
                at: IsolationTests.location("/a.txt"))

            let renamed = try await installation.docent("rename", "LocalFolder:/a.txt", "b.txt").succeeded()
            #expect(renamed.text == "LocalFolder:/b.txt\n")
            let moved = try await installation.docent("rename", "LocalFolder:/b.txt", "/Folder/").succeeded()
            #expect(moved.text == "LocalFolder:/Folder/b.txt\n")
            #expect(installation.read(installation.documents + "/Folder/b.txt") == "mine")
            try installation.write("a stranger's", to: "a.txt")

            #expect(try await installation.read(bookmark: opened.bookmark).succeeded().text == "mine")
            #expect(try await RemoteInstallation.text(document) == "mine")
            try await RemoteInstallation.save("changed", document)
            #expect(installation.read(installation.documents + "/Folder/b.txt") == "changed")
            #expect(installation.read(installation.documents + "/a.txt") == "a stranger's")
            client.close()
            try await installation.stopDaemon()
            #expect(try await installation.read(bookmark: opened.bookmark).succeeded().text == "changed")
        }
    }

    @Test("a taken name, in any case, is a conflict, and nothing is replaced")
    func collisions() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("one", to: "a.txt")
            try installation.write("two", to: "B.txt")
            for name in ["B.txt", "b.TXT"] {
                let taken = try await installation.docent("rename", "LocalFolder:/a.txt", name)
                #expect(taken.status == 6, "\(name): \(taken)")
                #expect(taken.errors.contains("hint:"))
            }
            #expect(try await installation.docent("mkdir", "LocalFolder:/b.txt").status == 6)
            #expect(installation.read(installation.documents + "/B.txt") == "two")
            // Its own name in another case does not collide.
            try await installation.docent("rename", "LocalFolder:/a.txt", "A.txt").succeeded()
            #expect(installation.documentNames.sorted() == ["A.txt", "B.txt"])
            #expect(try await installation.docent("rename", "LocalFolder:/none.txt", "x").status == 2)
            #expect(try await installation.docent("rename", "LocalFolder:/", "x").status == 64)
            #expect(try await installation.docent("rename", "LocalFolder:/A.txt", "x/y").status == 64)
        }
    }

    @Test("H9: folders are created, deleted when empty, and on request deleted with their contents")
    func folders() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.docent("mkdir", "LocalFolder:/New").succeeded()
            try await installation.docent("mkdir", "LocalFolder:/New/Deep").succeeded()
            #expect(try await installation.docent("mkdir", "LocalFolder:/Missing/Deep").status == 2)
            try installation.write("one", to: "New/Deep/a.txt")
            let opened = try await installation.bookmark("LocalFolder:/New/Deep/a.txt")
            let full = try await installation.docent("rm", "LocalFolder:/New")
            #expect(full.status == 6, "\(full)")
            #expect(full.errors.contains("docent rm -r"))
            try await installation.docent("rm", "-r", "LocalFolder:/New").succeeded()
            #expect(installation.documentNames.isEmpty)
            #expect(try await installation.docent("rm", "LocalFolder:/New").status == 2)

            // The same path again is another document.
            try await installation.docent("mkdir", "LocalFolder:/New").succeeded()
            try await installation.docent("mkdir", "LocalFolder:/New/Deep").succeeded()
            try installation.write("other", to: "New/Deep/a.txt")
            let gone = try await installation.read(bookmark: opened.bookmark)
            #expect(gone.status == 2 && gone.text.isEmpty, "\(gone)")
        }
    }
}
