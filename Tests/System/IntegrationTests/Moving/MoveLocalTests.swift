import DocentTestSupport
import Documents
import Foundation
import Testing

/// Renaming, moving and deleting in-place items: rights are bound to the document, not to its name.
@Suite(.needs(.daemon, .server)) struct MoveLocalTests {
    @Test(
        "F2, H9, fault 5: names that are taken, in any case, are conflicts; folders come and go; a right survives a rename, and a new file under the old name inherits nothing"
    )
    func moves() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("collisions") { try await Self.collisions(installation) }
            try await TestStep.run("folders") { try await Self.folders(installation) }
            // Stops the daemon.
            try await TestStep.run("rename") { try await Self.rename(installation) }
        }
    }

    /// The names in a folder, including Docent's temporary files.
    private static func names(_ installation: Installation, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(installation.documents)/\(folder)").sorted()
    }

    /// A right survives a rename, and a new file under the old name inherits nothing (F2, fault 5).
    private static func rename(_ installation: Installation) async throws {
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

    /// A taken name, in any case, is a conflict, and nothing is replaced.
    private static func collisions(_ installation: Installation) async throws {
        try await installation.docent("mkdir", "LocalFolder:/taken").succeeded()
        try installation.write("one", to: "taken/a.txt")
        try installation.write("two", to: "taken/B.txt")
        for name in ["B.txt", "b.TXT"] {
            let taken = try await installation.docent("rename", "LocalFolder:/taken/a.txt", name)
            #expect(taken.status == 6, "\(name): \(taken)")
            #expect(taken.errors.contains("hint:"), "\(name): \(taken)")
        }
        #expect(try await installation.docent("mkdir", "LocalFolder:/taken/b.txt").status == 6)
        #expect(installation.read(installation.documents + "/taken/B.txt") == "two")
        // Its own name in another case does not collide.
        try await installation.docent("rename", "LocalFolder:/taken/a.txt", "A.txt").succeeded()
        #expect(try names(installation, "taken") == ["A.txt", "B.txt"])
        #expect(try await installation.docent("rename", "LocalFolder:/taken/none.txt", "x").status == 2)
        #expect(try await installation.docent("rename", "LocalFolder:/", "x").status == 64)
        #expect(try await installation.docent("rename", "LocalFolder:/taken/A.txt", "x/y").status == 64)
    }

    /// Folders are created, deleted when empty, and on request deleted with their contents (H9).
    private static func folders(_ installation: Installation) async throws {
        let folder = "LocalFolder:/folders"
        try await installation.docent("mkdir", folder).succeeded()
        try await installation.docent("mkdir", "\(folder)/New").succeeded()
        try await installation.docent("mkdir", "\(folder)/New/Deep").succeeded()
        #expect(try await installation.docent("mkdir", "\(folder)/Missing/Deep").status == 2)
        try installation.write("one", to: "folders/New/Deep/a.txt")
        let opened = try await installation.bookmark("\(folder)/New/Deep/a.txt")
        let full = try await installation.docent("rm", "\(folder)/New")
        #expect(full.status == 6, "\(full)")
        #expect(full.errors.contains("docent rm -r"))
        try await installation.docent("rm", "-r", "\(folder)/New").succeeded()
        #expect(try names(installation, "folders").isEmpty)
        #expect(try await installation.docent("rm", "\(folder)/New").status == 2)

        // The same path again is another document.
        try await installation.docent("mkdir", "\(folder)/New").succeeded()
        try await installation.docent("mkdir", "\(folder)/New/Deep").succeeded()
        try installation.write("other", to: "folders/New/Deep/a.txt")
        let gone = try await installation.read(bookmark: opened.bookmark)
        #expect(gone.status == 2 && gone.text.isEmpty, "\(gone)")
    }
}
