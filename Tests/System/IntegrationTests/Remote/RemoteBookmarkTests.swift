import DocentTestSupport
import Documents
import Foundation
import Testing

/// A new document's provisional identifier: rights and bookmarks refer to it before and after its provider named it
/// (G4, G8).
@Suite(.needs(.daemon, .server)) struct RemoteBookmarkTests {
    @Test(
        "C4, G8: a moved document is written, bookmarked and read by its first reference, before and after the upload")
    func provisional() async throws {
        try await RemoteInstallation.with { remote in
            #expect(try await remote.names().isEmpty)
            let proxy = try remote.faults()
            try await proxy.add(.hold().on("PUT"))
            let source = try remote.installation.makeSource("one", name: "moved.txt")
            let client = remote.installation.client()
            let folder = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/")
            let document = try await DocumentPicker(client: client).moveDocument(
                at: source, to: folder, name: "moved.txt")
            #expect(!FileManager.default.fileExists(atPath: source))
            let bookmark = try await document.bookmark()
            #expect(try await RemoteInstallation.text(document) == "one")
            try await RemoteInstallation.save("two", document)
            #expect(try await RemoteInstallation.text(document) == "two")
            let before = try await document.item()
            #expect(!before.isUploaded && before.isDownloaded && before.size == 3)
            #expect(try await remote.names() == ["moved.txt"])
            let begun = try await document.beginWriting(replacing: true)

            try await proxy.release()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("moved.txt") == "two")
            // Begun with the provisional identifier, saved with the provider's.
            try writeAll("between", to: begun.descriptor)
            #expect(try await begun.commit().size == 7)
            #expect(try await RemoteInstallation.text(document) == "between")
            try await RemoteInstallation.save("two", document)
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("moved.txt") == "two")
            #expect(try await remote.server.list() == ["moved.txt"])
            #expect(try await RemoteInstallation.text(document) == "two")
            try await RemoteInstallation.save("three", document)
            #expect(try await RemoteInstallation.text(document) == "three")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("moved.txt") == "three")
            #expect(try await document.item().isUploaded)
            #expect(try await remote.versions().isEmpty)
            try await Self.resolve(bookmark, "three", remote)
            try await Self.resolve(try await document.bookmark(), "three", remote)
            client.close()

            try await remote.restartDaemon()
            try await Self.resolve(bookmark, "three", remote)
            // Another client gets no access with it.
            await #expect(throws: DocumentsError.self) {
                try await remote.installation.client("org.docent.other").resolve(bookmark: bookmark)
            }
        }
    }

    private static func resolve(_ bookmark: String, _ text: String, _ remote: RemoteInstallation) async throws {
        let client = remote.installation.client()
        let resolved = try await client.resolve(bookmark: bookmark)
        #expect(resolved.item.name == "moved.txt")
        #expect(try await RemoteInstallation.text(resolved.document) == text)
        #expect(resolved.document.access == .readWrite)
        client.close()
    }

    @Test("C4, G8: a reference from before the upload refers to the document after a restart in between")
    func overRestart() async throws {
        try await RemoteInstallation.with { remote in
            #expect(try await remote.names().isEmpty)
            try await remote.faults().refuse()
            let source = try remote.installation.makeSource("one", name: "moved.txt")
            let moved = try await remote.docent("move", source, remote.location("")).succeeded()
            #expect(moved.text.contains("moved.txt"))
            let opened = try await remote.docent("open", "--json", remote.location("moved.txt")).succeeded()
            struct Opened: Decodable { var bookmark: String }
            let bookmark = try opened.json(Opened.self).bookmark
            try await remote.restartDaemon()
            #expect(try await remote.docent("cat", "--bookmark", bookmark).succeeded().text == "one")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.docent("cat", "--bookmark", bookmark).succeeded().text == "one")
            try await remote.docent("write", "--bookmark", bookmark, input: Data("two".utf8)).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("moved.txt") == "two")
            #expect(try await remote.server.list() == ["moved.txt"])
        }
    }

    @Test(
        "G2, C4: a new document can be used by any of its references at every moment of its upload",
        arguments: Sample.shared.of([0, 1]))
    func atAnyMoment(round: Int) async throws {
        try await RemoteInstallation.with { remote in
            let client = remote.installation.client()
            let folder = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/")
            for number in 0..<5 {
                let name = "\(number).txt"
                let source = try remote.installation.makeSource("one", name: name)
                let moved = try await DocumentPicker(client: client).moveDocument(at: source, to: folder, name: name)
                var picked = [moved]
                repeat {
                    let document = try await remote.open(name, client: client)
                    picked.append(document)
                    #expect(try await RemoteInstallation.text(document) == "one")
                    // Without its lease: through the daemon each time.
                    moved.stopAccessing()
                    #expect(try await RemoteInstallation.text(moved) == "one")
                } while try await !moved.item().isUploaded
                for document in picked {
                    document.stopAccessing()
                    #expect(try await RemoteInstallation.text(document) == "one")
                }
                try await RemoteInstallation.save("two", moved)
            }
            #expect(try await remote.drain().status == 0)
            for number in 0..<5 { #expect(try await remote.server.text("\(number).txt") == "two") }
            client.close()
        }
    }

    @Test("M3, C4: a claim on a new document is a claim for writing it at every moment of its upload")
    func claimAtAnyMoment() async throws {
        try await RemoteInstallation.with { remote in
            let client = remote.installation.client()
            let folder = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/")
            for number in 0..<8 {
                let name = "\(number).txt"
                let source = try remote.installation.makeSource("one", name: name)
                let moved = try await DocumentPicker(client: client).moveDocument(at: source, to: folder, name: name)
                try await FileCoordinator(client: client).coordinate(writingItemAt: moved.reference) { access in
                    // Its provider assigns another identifier between two of these.
                    let end = ContinuousClock.now + .seconds(60)
                    var isUploaded = false
                    repeat {
                        isUploaded = try await moved.item().isUploaded
                        for _ in 0..<10 { try await access.session(replacing: true).abandon() }
                    } while !isUploaded && .now < end
                }
            }
            #expect(try await remote.drain().status == 0)
            for number in 0..<8 { #expect(try await remote.server.text("\(number).txt") == "one") }
            client.close()
        }
    }
}
