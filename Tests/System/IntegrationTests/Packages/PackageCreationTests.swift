import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// New packages: created with the SDK, and copied to and from providers with the command line (C1, C3, M4).
@Suite(.needs(.daemon)) struct PackageCreationTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one", "Assets/deep/2.png": "two"]

    private static func makeLocal(_ name: String, _ installation: Installation) throws -> String {
        let path = installation.home + "/" + name
        for (element, text) in content {
            let file = URL(fileURLWithPath: path + "/" + element)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return path
    }

    @Test(
        "C1, C3: a package is exported completely and imported as a directory; an ordinary directory and a taken name are refused with the reason"
    )
    func copies() async throws {
        try await Installation.withLocalFolder { installation in
            // First: it looks at all names and grants.
            try await TestStep.run("export") { try await Self.exports(installation) }
            try await TestStep.run("import") { try await Self.imports(installation) }
        }
    }

    /// A package is exported completely; an ordinary directory and a taken name are refused with the reason (C3).
    private static func exports(_ installation: Installation) async throws {
        let source = try Self.makeLocal("Note.rtfd", installation)
        let done = try await installation.docent("export", source, "LocalFolder:/").succeeded()
        #expect(done.text == "LocalFolder:/Note.rtfd\n")
        #expect(installation.package("Note.rtfd") == Self.content)
        #expect(Installation.files(below: source) == Self.content)
        try await installation.docent("export", source, "LocalFolder:/other.rtfd").succeeded()
        #expect(installation.package("other.rtfd") == Self.content)
        let taken = try await installation.docent("export", source, "LocalFolder:/other.rtfd")
        #expect(taken.status != 0 && taken.errors.contains("already"))
        let folder = try Self.makeLocal("plain", installation)
        let refused = try await installation.docent("export", folder, "LocalFolder:/")
        #expect(refused.status != 0 && refused.errors.contains("not a package"))
        try FileManager.default.createSymbolicLink(atPath: source + "/link", withDestinationPath: "/etc/passwd")
        let link = try await installation.docent("export", source, "LocalFolder:/third.rtfd")
        #expect(link.status != 0 && link.errors.contains("link"))
        #expect(installation.documentNames == ["Note.rtfd", "other.rtfd"])
        #expect(installation.leftovers.isEmpty)
        #expect(try await installation.docent("grants", "--json").succeeded().text.contains("Note.rtfd") == false)
    }

    /// A package is imported as a directory, and replaces nothing (C1).
    private static func imports(_ installation: Installation) async throws {
        try installation.makePackage("Import.rtfd", Self.content)
        try installation.makePackage("Folder", ["a.txt": "a"])
        let target = installation.home + "/copy.rtfd"
        let done = try await installation.docent("import", "LocalFolder:/Import.rtfd", "-o", target).succeeded()
        #expect(done.text == target + "\n")
        #expect(Installation.files(below: target) == Self.content)
        #expect(installation.package("Import.rtfd") == Self.content)
        try FileManager.default.createDirectory(atPath: target + "2", withIntermediateDirectories: true)
        try await installation.docent("import", "LocalFolder:/Import.rtfd", "-o", target + "2").succeeded()
        #expect(Installation.files(below: target + "2/Import.rtfd") == Self.content)
        let taken = try await installation.docent("import", "LocalFolder:/Import.rtfd", "-o", target + "2")
        #expect(taken.status != 0 && taken.errors.contains("already exists"))
        let folder = try await installation.docent("import", "LocalFolder:/Folder", "-o", target + "3")
        #expect(folder.status != 0 && folder.errors.contains("folder"))
        #expect(!FileManager.default.fileExists(atPath: target + "3"))
        let output = try await installation.docent("import", "LocalFolder:/Import.rtfd", "-o", "-")
        #expect(output.status != 0)
    }

    @Test("M4: a package Document is created in a folder, opened there, and saved again")
    @MainActor func document() async throws {
        try await Installation.withLocalFolder { installation in
            for isByReference in [false, true] {
                let parent = isByReference ? "ByReference" : "ByLocation"
                try FileManager.default.createDirectory(
                    atPath: installation.documents + "/" + parent, withIntermediateDirectories: true)
                let client = installation.client()
                let location = DocumentLocation(provider: "org.docent.LocalFolder", path: "/" + parent)
                let pages: NewPages
                if isByReference {
                    let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"])
                        .openDocument(at: location)
                    pages = NewPages(client: client, place: DocumentPlace(name: "New.rtfd", in: folder.reference))
                } else {
                    pages = NewPages(client: client, location: location, name: "New.rtfd")
                }
                try await pages.save(for: .creating)
                #expect(installation.package(parent + "/New.rtfd") == ["1.txt": "one"], "\(parent)")
                pages.root.addRegularFile(withContents: Data("two".utf8), preferredFilename: "2.txt")
                pages.updateChangeCount(.done)
                try await pages.save()
                #expect(installation.package(parent + "/New.rtfd") == ["1.txt": "one", "2.txt": "two"], "\(parent)")
                try await pages.close()
                try await installation.eventually("nothing is staged any more") { installation.leftovers.isEmpty }
                client.close()
            }
        }
    }

    private final class NewPages: Document {
        var root = FileWrapper(directoryWithFileWrappers: [
            "1.txt": FileWrapper(regularFileWithContents: Data("one".utf8))
        ])

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            root = try #require(contents.fileWrapper)
        }

        override func contents(forType type: String) throws -> DocumentContents { .fileWrapper(root) }
    }

    @Test("I1: a client without a right to a folder cannot create a package in it")
    func needsRight() async throws {
        try await Installation.withLocalFolder { installation in
            let (client, other) = (installation.client(), installation.client("org.docent.other"))
            let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/"), access: .read)
            for caller in [client, other] {
                let refused = try await failure {
                    _ = try await PackageWriteSession.create("a.rtfd", in: folder.reference, client: caller)
                }
                #expect(refused.code == .notPermitted)
            }
            #expect(installation.documentNames.isEmpty)
            client.close()
            other.close()
        }
    }

    @Test(
        "W: after kill -9 of the daemon at each step a new package exists completely or not at all",
        arguments: Sample.shared.of([
            "linked", "committed", "renamed", "published", "recorded", "uploadRecorded", "uploaded",
        ]))
    func kills(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let client = installation.passiveClient()
            let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/"))
            let session = try await PackageWriteSession.create("n.rtfd", in: folder.reference, client: client)
            for (path, text) in Self.content { try await session.write(Data(text.utf8), at: path) }
            _ = try? await session.commit()
            try await installation.waitForEnd(of: daemon)
            client.close()
            let next = try await installation.readyDaemon()
            let later = installation.passiveClient()
            let isCommitted = Installation.isCommitted(after: step)
            try await installation.eventually("it has finished") {
                try await later.outcome(of: session.operation).state == (isCommitted ? .finished : .failed)
            }
            #expect(installation.package("n.rtfd") == (isCommitted ? Self.content : [:]))
            #expect(installation.documentNames == (isCommitted ? ["n.rtfd"] : []))
            try await installation.eventually("nothing is left: \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
            later.close()
            try await installation.killDaemon(next)
        }
    }
}
