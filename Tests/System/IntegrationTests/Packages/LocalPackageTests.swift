import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Packages of a provider of local files, through a real daemon (M4).
@Suite(.needs(.daemon, .server)) struct LocalPackageTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one", "Assets/deep/2.png": "two"]

    @Test(
        "M4, N3, 2.2: a package is read element by element, saves combine their changes and keep references, replace all when that is requested, and a package is uploaded as one zip"
    )
    func saves() async throws {
        try await Installation.withLocalFolder { installation in
            // First: it looks at everything that is staged.
            try await TestStep.run("incremental") { try await Self.savesIncrementally(installation) }
            try await TestStep.run("replacing") { try await Self.replaces(installation) }
            try await TestStep.run("references") { try await Self.keepsReferences(installation) }
            try await TestStep.run("uploading") { try await Self.uploads(installation) }
            #expect(installation.documentNames == ["Many.rtfd", "Note.rtfd", "Replaced.rtfd", "Zipped.rtfd"])
        }
    }

    /// A package is read element by element, and a save combines its changes (M4, N3).
    private static func savesIncrementally(_ installation: Installation) async throws {
        try installation.makePackage("Note.rtfd", Self.content)
        let client = installation.client()
        let package = try await installation.openPackage("Note.rtfd", client: client)
        #expect(try await package.read() == Self.content)
        let session = try await package.begin()
        #expect(
            session.elements.map(\.path).sorted() == [
                "Assets", "Assets/1.png", "Assets/deep", "Assets/deep/2.png", "TXT.rtf",
            ])
        try await session.write(Data("new text".utf8), at: "TXT.rtf")
        try await session.write(Data("three".utf8), at: "new/3.txt")
        try await session.keep(elementAt: "Assets/1.png", at: "Assets/renamed.png")
        try await session.remove(at: "Assets/1.png")
        // Nothing is visible before the commit, and only changes were copied.
        #expect(installation.package("Note.rtfd") == Self.content)
        let staged = installation.leftovers.flatMap {
            Installation.files(below: "\(installation.data)/\($0)")
                .filter { !["session", "changes"].contains($0.key) }.values
        }
        // With the destination of each, and the name of the package.
        #expect(staged.sorted() == ["Note.rtfd", "TXT.rtf", "new text", "new/3.txt", "three"])
        let item = try await session.commit()
        #expect(item.reference == package.reference)
        let expected = [
            "TXT.rtf": "new text", "Assets/renamed.png": "one", "Assets/deep/2.png": "two", "new/3.txt": "three",
        ]
        #expect(installation.package("Note.rtfd") == expected)
        #expect(try await package.read() == expected)
        #expect(installation.documentNames == ["Note.rtfd"])
        #expect(installation.leftovers.isEmpty)
        #expect(try await client.outcome(of: session.operation).state == .finished)
        client.close()
    }

    /// A replaced package consists only of the staged elements (2.2 forReplacing).
    private static func replaces(_ installation: Installation) async throws {
        try installation.makePackage("Replaced.rtfd", Self.content)
        let client = installation.client()
        let package = try await installation.openPackage("Replaced.rtfd", client: client)
        try await package.save(["a/b": "only this"], replacing: true)
        #expect(installation.package("Replaced.rtfd") == ["a/b": "only this"])
        try await installation.eventually("nothing is staged any more") { installation.leftovers.isEmpty }
        client.close()
    }

    /// Many consecutive saves keep the references of elements (M4).
    private static func keepsReferences(_ installation: Installation) async throws {
        try installation.makePackage("Many.rtfd", Self.content)
        let client = installation.client()
        let package = try await installation.openPackage("Many.rtfd", client: client)
        let reader = PackageReader(reference: package.reference, client: client)
        let before = try await reader.elements()
        for number in 1...5 { try await package.save(["TXT.rtf": "text \(number)"]) }
        let now = try await reader.elements()
        #expect(now.map(\.reference) == before.map(\.reference))
        let text = try #require(before.first { $0.path == "TXT.rtf" })
        let file = FileHandle(fileDescriptor: try await reader.openForReading(text), closeOnDealloc: true)
        #expect(try file.readToEnd() == Data("text 5".utf8))
        try await installation.eventually("nothing is staged any more") { installation.leftovers.isEmpty }
        client.close()
    }

    /// A package is one zip file with its content at that moment (2.2 forUploading).
    private static func uploads(_ installation: Installation) async throws {
        try installation.makePackage("Zipped.rtfd", Self.content)
        let client = installation.client()
        let package = try await installation.openPackage("Zipped.rtfd", client: client)
        let coordinator = FileCoordinator(client: client)
        let archive = installation.home + "/archive.zip"
        try await coordinator.coordinate(readingItemAt: package.reference, options: .forUploading) { access in
            let file = FileHandle(fileDescriptor: try access.openForReading(), closeOnDealloc: true)
            try (file.readToEnd() ?? Data()).write(to: URL(fileURLWithPath: archive))
        }
        #expect(
            try await installation.zipped(at: archive)
                == "[('Zipped.rtfd/Assets/1.png', 'one'), ('Zipped.rtfd/Assets/deep/2.png', 'two'), ('Zipped.rtfd/TXT.rtf', 'text')]"
        )
        #expect(installation.leftovers.isEmpty)
        client.close()
    }

    @Test(
        "HAZARDS 5: a foreign change of a saved element is kept beside it; a foreign change of another element is a conflict, and nothing is saved"
    )
    func foreignChanges() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            let client = installation.client()
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let first = try await package.begin()
            try await first.write(Data("ours".utf8), at: "TXT.rtf")
            try installation.write("foreign", to: "Note.rtfd/Assets/1.png")
            let error = try await failure { try await first.commit() }
            #expect(error.code == .conflict)
            #expect(installation.package("Note.rtfd")["TXT.rtf"] == "text")
            // The session still exists: the staged elements are not lost, and can be saved over the current ones.
            try await first.write(Data("mine".utf8), at: "Assets/1.png")
            try await first.commit()
            #expect(installation.package("Note.rtfd")["TXT.rtf"] == "ours")
            #expect(installation.package("Note.rtfd")["Assets/1.png"] == "mine")
            let kept = try #require(installation.documentNames.first { $0.contains("conflict") })
            #expect(installation.package(kept)["Assets/1.png"] == "foreign")
            client.close()
        }
    }

    @Test(
        "W0: staged elements are removed when the client discards them; when the client dies they are kept as a version, as a zip"
    )
    func drops() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            let client = installation.client()
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let first = try await package.begin()
            try await first.write(Data("ours".utf8), at: "TXT.rtf")
            try await first.abandon()
            #expect(installation.leftovers.isEmpty)
            #expect(try await installation.keptVersions().isEmpty)
            // Nothing was staged, so nothing is kept.
            let other = installation.client()
            _ = try await TestPackage(client: other, reference: package.reference).begin()
            other.close()
            let second = try await package.begin()
            try await second.write(Data("overwritten".utf8), at: "TXT.rtf")
            try await second.write(Data("ours".utf8), at: "TXT.rtf")
            try await second.write(Data("new".utf8), at: "Assets/new/3.txt")
            client.close()
            try await installation.eventually("the staged elements are kept") {
                try await installation.keptVersions().count == 1 && installation.leftovers.isEmpty
            }
            #expect(installation.package("Note.rtfd") == Self.content)
            let version = try #require(try await installation.keptVersions().first)
            #expect(version.name == "Note.rtfd.zip" && version.reason == "recovered")
            #expect(
                try await installation.zipped(version.identifier)
                    == "[('Note.rtfd/Assets/new/3.txt', 'new'), ('Note.rtfd/TXT.rtf', 'ours')]")
            try await installation.docent("versions", "remove", "--yes", version.identifier).succeeded()
            #expect(try await installation.keptVersions().isEmpty)
        }
    }

    @Test("W0: elements staged when the daemon was killed are kept as a version if the client does not return")
    func survivesDaemon() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "1"]) { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            let client = installation.client()
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let session = try await package.begin()
            try await session.write(Data("ours".utf8), at: "TXT.rtf")
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            try await installation.eventually("the staged elements are kept") {
                try await installation.keptVersions().map(\.name) == ["Note.rtfd.zip"]
            }
            let version = try #require(try await installation.keptVersions().first)
            #expect(try await installation.zipped(version.identifier) == "[('Note.rtfd/TXT.rtf', 'ours')]")
            #expect(installation.package("Note.rtfd") == Self.content)
            #expect(try await client.outcome(of: session.operation).state == .failed)
            client.close()
        }
    }

    @Test("M4: an ordinary folder, a file, and hostile paths are refused with the reason")
    func refuses() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            try installation.makePackage("Folder", ["a.txt": "a"])
            try installation.write("a", to: "a.txt")
            let client = installation.client()
            #expect(
                try await failure { _ = try await installation.openPackage("Folder", client: client) }.code
                    == .invalidArgument)
            let file = try await installation.openPackage("a.txt", client: client)
            #expect(try await failure { _ = try await file.begin() }.code == .invalidArgument)
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let session = try await package.begin()
            for path in ["../evil", "/etc/evil", "a/../../evil", ".docent-save-1", "TXT.rtf/below"] {
                let error = try await failure {
                    _ = try await client.call(
                        DocumentsInterface.StageElement.self,
                        .init(operation: session.operation, path: path, folder: true))
                }
                #expect([.invalidArgument, .conflict].contains(error.code), "\(path): \(error)")
            }
            let both = try await failure {
                _ = try await client.call(
                    DocumentsInterface.StageElement.self,
                    .init(operation: session.operation, path: "x", folder: true, removed: true))
            }
            #expect(both.code == .invalidArgument)
            try await session.abandon()
            // Another client has no right to it.
            let other = installation.client("org.docent.other")
            let stranger = TestPackage(client: other, reference: package.reference)
            #expect(try await failure { _ = try await stranger.begin() }.code == .notPermitted)
            #expect(try await failure { _ = try await stranger.read() }.code == .notPermitted)
            #expect(installation.package("Note.rtfd") == Self.content)
            client.close()
            other.close()
        }
    }
}
