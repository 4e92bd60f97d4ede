import DocentTestSupport
import Foundation
import Testing

/// The folder that LocalFolder shows: how it is chosen, and that it may be missing at the start.
@Suite(.needs(.daemon)) struct UserFolderTests {
    @Test(
        "S2: a missing folder is named, and works without a restart once it is created; a folder that replaces a moved one is shown soon"
    )
    func comesLater() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("missing") { try await Self.missing(installation) }
            try await TestStep.run("replaced") { try await Self.replaced(installation) }
        }
    }

    /// It is named, and works without a restart once it is created.
    private static func missing(_ installation: Installation) async throws {
        try FileManager.default.removeItem(atPath: installation.documents)
        for _ in 0..<3 {
            let outcome = try await installation.docent("ls", "LocalFolder:/")
            #expect(outcome.status == 5)
            #expect(outcome.errors.contains("The folder \(installation.documents) does not exist."), "\(outcome)")
            #expect(outcome.errors.contains("Create the folder"), "\(outcome)")
            #expect(!outcome.errors.contains("network"), "\(outcome)")
        }
        let daemon = installation.daemonProcess
        try FileManager.default.createDirectory(atPath: installation.documents, withIntermediateDirectories: true)
        try installation.write("text", to: "a.txt")
        #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "text")
        #expect(installation.daemonProcess == daemon)
    }

    /// A folder that replaces a moved one is shown soon.
    private static func replaced(_ installation: Installation) async throws {
        try installation.write("old", to: "old.txt")
        #expect(try await installation.docent("cat", "LocalFolder:/old.txt").succeeded().text == "old")
        try FileManager.default.moveItem(atPath: installation.documents, toPath: installation.home + "/aside")
        try FileManager.default.createDirectory(atPath: installation.documents, withIntermediateDirectories: true)
        try installation.write("new", to: "b.txt")
        try await installation.eventually("the new folder is shown") {
            try await installation.docent("cat", "LocalFolder:/b.txt").text == "new"
        }
    }

    @Test("S2, S3: the folder named by xdg-user-dir is shown, and consent names it")
    func named() async throws {
        try await Installation.with { installation in
            let folder = installation.home + "/Dokumente"
            for path in [folder, installation.home + "/.config"] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try Data("XDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\n".utf8)
                .write(to: URL(filePath: installation.home + "/.config/user-dirs.dirs"))
            try Data("hier".utf8).write(to: URL(filePath: folder + "/a.txt"))
            let consent = try await installation.docent("provider", "show", "org.docent.LocalFolder").succeeded()
            #expect(consent.text.contains("~/Dokumente") && !consent.text.contains("~/Documents"), "\(consent.text)")
            try await installation.docent("provider", "enable", "org.docent.LocalFolder", "--yes").succeeded()
            #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "hier")
            #expect(try await installation.docent("write", "LocalFolder:/b.txt", input: Data("da".utf8)).status == 0)
            #expect(installation.read(folder + "/b.txt") == "da")
        }
    }
}
