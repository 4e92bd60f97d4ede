import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Attributes stored with the contents, in the same save (K10).
@Suite(.needs(.daemon)) struct SaveAttributesTests {
    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("picture".utf8))
    private static let attributes = DocumentAttributes(
        modificationDate: 1_000_000_000.5, thumbnail: picture,
        extendedAttributes: ["user.docent.test": Data("value".utf8), "user.empty": Data()])

    private static func attribute(_ name: String, _ path: String, _ installation: Installation) async throws -> String {
        let script = "import os, sys; sys.stdout.buffer.write(os.getxattr(sys.argv[1], sys.argv[2]))"
        return try await installation.run("/usr/bin/env", ["python3", "-c", script, path, name]).succeeded().text
    }

    private static func modified(_ path: String) throws -> Double {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }

    // The thumbnail that an item names, read from the provider's storage; nil if it names none.
    private static func thumbnail(
        _ name: String, _ client: DocumentsClient, _ installation: Installation
    ) async throws -> Data? {
        let item = try await DocumentPicker(client: client).item(
            at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/" + name))
        guard let thumbnail = item.thumbnail else { return nil }
        let places = try FileManager.default.subpathsOfDirectory(atPath: installation.data)
            .filter { $0.hasSuffix("/" + thumbnail) }
        #expect(places.count == 1, "\(thumbnail) lies at \(places)")
        return try places.first.map { try Data(contentsOf: URL(filePath: installation.data + "/" + $0)) }
    }

    private static func expect(at path: String, _ installation: Installation) async throws {
        #expect(try await attribute("user.docent.test", path, installation) == "value")
        #expect(try await attribute("user.empty", path, installation) == "")
        #expect(try modified(path) == 1_000_000_000.5)
    }

    @Test(
        "K10: a Document's attributes are stored with its contents, also for a new document and a package; invalid or oversized attributes are refused with the reason"
    )
    @MainActor func document() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("stored") { try await Self.stored(installation) }
            try await TestStep.run("refused") { try await Self.refuses(installation) }
        }
    }

    /// They are stored with the contents, also for a new document and a package.
    @MainActor private static func stored(_ installation: Installation) async throws {
        try installation.write("old", to: "a.txt")
        try installation.makePackage("p.rtfd", ["1.txt": "old"])
        let client = installation.client()
        let root = DocumentLocation(provider: "org.docent.LocalFolder", path: "/")
        for name in ["a.txt", "p.rtfd", "new.txt", "new.rtfd"] {
            let isNew = name.hasPrefix("new")
            let tree = FileWrapper(directoryWithFileWrappers: [
                "1.txt": FileWrapper(regularFileWithContents: Data("new".utf8))
            ])
            let contents =
                name.hasSuffix("rtfd") ? DocumentContents.fileWrapper(tree) : .data(Data("new".utf8))
            let document: Decorated
            if isNew {
                document = Decorated(client: client, location: root, name: name)
                document.text = contents
                try await document.save(for: .creating)
            } else {
                document = Decorated(
                    document: try await DocumentPicker(client: client).openDocument(
                        at: DocumentLocation(provider: "org.docent.LocalFolder", path: "/" + name)))
                try await document.open()
                document.text = contents
                document.updateChangeCount(.done)
                try await document.save()
            }
            try await Self.expect(at: installation.documents + "/" + name, installation)
            #expect(try await Self.thumbnail(name, client, installation) == Self.picture, "\(name)")
            try await document.close()
        }
        // It belongs to the content with which it was set.
        try installation.write("another", to: "a.txt")
        #expect(try await Self.thumbnail("a.txt", client, installation) == nil)
        client.close()
    }

    /// Attributes of other namespaces, an invalid thumbnail, and oversized values are refused with the reason.
    private static func refuses(_ installation: Installation) async throws {
        try installation.write("old", to: "refused.txt")
        let client = installation.client()
        let document = try await DocumentPicker(client: client).openDocument(
            at: .init(provider: "LocalFolder", path: "/refused.txt"))
        let session = try await document.beginWriting(replacing: true)
        try writeAll("new", to: session.descriptor)
        for attributes in [
            DocumentAttributes(extendedAttributes: ["security.capability": Data([1])]),
            DocumentAttributes(extendedAttributes: ["user.large": Data(count: 70_000)]),
            DocumentAttributes(thumbnail: Data("no picture".utf8)),
            DocumentAttributes(thumbnail: Self.picture + Data(count: 1 << 20)),
        ] {
            let error = try await failure { try await session.setAttributes(attributes) }
            #expect(error.code == .invalidArgument, "\(attributes)")
        }
        try await session.commit()
        let late = try await failure { try await session.setAttributes(Self.attributes) }
        #expect(late.code == .conflict)
        #expect(installation.read(installation.documents + "/refused.txt") == "new")
        client.close()
    }

    private final class Decorated: Document {
        var text = DocumentContents.data(Data())

        override func load(fromContents contents: DocumentContents, ofType type: String) throws { text = contents }
        override func contents(forType type: String) throws -> DocumentContents { text }
        override func fileAttributesToWrite(for operation: SaveOperation) throws -> DocumentAttributes {
            SaveAttributesTests.attributes
        }
    }

    @Test(
        "K10, W: attributes survive kill -9 of the daemon after the commit point",
        arguments: Sample.shared.of(["committed", "published", "recorded"]))
    func kills(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old", to: "a.txt")
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let client = installation.passiveClient()
            let document = try await DocumentPicker(client: client).openDocument(
                at: .init(provider: "LocalFolder", path: "/a.txt"))
            let session = try await document.beginWriting(replacing: true)
            try writeAll("new", to: session.descriptor)
            try await session.setAttributes(Self.attributes)
            await #expect(throws: DocumentsError.self) { try await session.commit() }
            try await installation.waitForEnd(of: daemon)
            client.close()
            _ = try await installation.readyDaemon()
            try await installation.eventually("the save is finished") {
                installation.read(installation.documents + "/a.txt") == "new" && installation.leftovers.isEmpty
            }
            try await Self.expect(at: installation.documents + "/a.txt", installation)
            let later = installation.client()
            #expect(try await Self.thumbnail("a.txt", later, installation) == Self.picture)
            later.close()
            let left = try FileManager.default.contentsOfDirectory(atPath: installation.data + "/Metadata")
            #expect(left.isEmpty)
        }
    }
}
