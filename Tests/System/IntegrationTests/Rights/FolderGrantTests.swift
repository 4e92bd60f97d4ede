import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// A right to a folder covers its current contents (Android scoped storage).
@Suite(.needs(.daemon, .server)) struct FolderGrantTests {
    @Test(
        "I3, L2: a right to a folder covers what is in it now, as far as it goes, until it is revoked, also after a restart"
    )
    func grants() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("covers") { try await Self.covers(installation) }
            try await TestStep.run("read only") { try await Self.readOnly(installation) }
            try await TestStep.run("moves") { try await Self.moves(installation) }
            try await TestStep.run("revoked") { try await Self.revoked(installation) }
            // Kills the daemon.
            try await TestStep.run("restart") { try await Self.restart(installation) }
        }
    }

    /// A right to a folder covers its contents, for reading and writing, and nothing outside.
    private static func covers(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/covered/deep/deeper")
        try installation.write("top", to: "top.txt")
        try installation.write("a", to: "covered/a.txt")
        try installation.write("b", to: "covered/deep/deeper/b.txt")
        let top = try await Rights.reference(installation, "/top.txt")
        let (a, b) = (
            try await Rights.reference(installation, "/covered/a.txt"),
            try await Rights.reference(installation, "/covered/deep/deeper/b.txt")
        )
        try await IsolationTests.withConfinedClient(installation, "org.example.Covered") { client in
            #expect(await Rights.read(client, b) == Rights.refused)
            let folder = try await Rights.give(installation, "org.example.Covered", "/covered")
            #expect(await Rights.read(client, a) == "a")
            #expect(await Rights.read(client, b) == "b")
            #expect(try await Rights.names(client, folder) == ["a.txt", "deep"])
            try await Rights.save("changed", client.document(b, access: .readWrite))
            #expect(installation.read(installation.documents + "/covered/deep/deeper/b.txt") == "changed")
            #expect(await Rights.read(client, top) == Rights.refused)
            let root = DocumentReference(provider: top.provider, identifier: ".root")
            await #expect(throws: DocumentsError.self) { _ = try await Rights.names(client, root) }
            #expect(await IsolationTests.failure { _ = try await client.document(root).item() } == .notPermitted)
            let granted = try await client.grantedDocuments().reduce(into: []) { $0.append($1.reference) }
            #expect(granted == [folder])
            // There is no separate right that could be revoked or narrowed.
            #expect(
                await IsolationTests.failure { try await client.document(a).giveUpAccess() } == .notPermitted)
        }
    }

    /// A right to read a folder does not allow writing in it.
    private static func readOnly(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/readonly")
        try installation.write("a", to: "readonly/a.txt")
        let a = try await Rights.reference(installation, "/readonly/a.txt")
        try await IsolationTests.withConfinedClient(installation, "org.example.Readonly") { client in
            try await Rights.give(installation, "org.example.Readonly", "/readonly", access: "read")
            #expect(await Rights.read(client, a) == "a")
            #expect(
                await IsolationTests.failure { _ = try await client.document(a).beginWriting() } == .notPermitted)
        }
    }

    /// A document moved within the folder stays covered; moved out it loses the right and its lease; moved back it is
    /// covered (L2).
    private static func moves(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/moving/deep")
        try installation.write("a", to: "moving/a.txt")
        let client = installation.client("org.example.Moving")
        defer { client.close() }
        let a = try await Rights.reference(installation, "/moving/a.txt")
        _ = try await Rights.folder(client, "/moving")
        let document = client.document(a)
        for _ in 0..<3 { #expect(IsolationTests.text(try await document.openForReading()) == "a") }
        let folder = installation.documents
        // By a program that is independent of Docent.
        #expect(rename(folder + "/moving/a.txt", folder + "/moving/deep/b.txt") == 0)
        #expect(IsolationTests.text(try await document.openForReading()) == "a")
        #expect(rename(folder + "/moving/deep/b.txt", folder + "/c.txt") == 0)
        try await installation.eventually("the moved-out document is not covered") {
            await IsolationTests.failure { close(try await document.openForReading()) } == .notPermitted
        }
        #expect(rename(folder + "/c.txt", folder + "/moving/d.txt") == 0)
        try await installation.eventually("the moved-in document is covered") {
            await Rights.read(client, a) == "a"
        }
        // And through Docent, which knows it at once.
        #expect(IsolationTests.text(try await document.openForReading()) == "a")
        try await installation.docent("rename", "LocalFolder:/moving/d.txt", "/d.txt").succeeded()
        #expect(await Rights.read(client, a) == Rights.refused)
    }

    /// Revoking the folder ends leases on its contents, and is counted (I3, L2).
    private static func revoked(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/revoked")
        try installation.write("a", to: "revoked/a.txt")
        let client = installation.client("org.example.Revoked")
        defer { client.close() }
        _ = try await Rights.folder(client, "/revoked")
        let document = client.document(try await Rights.reference(installation, "/revoked/a.txt"))
        let writing = try await client.document(document.reference, access: .readWrite).beginWriting(
            replacing: true)
        _ = write(writing.descriptor, "unsaved", 7)
        let held = try await document.openForReading()
        try await installation.docent("revoke", "--yes", "LocalFolder:/revoked").succeeded()
        #expect(await IsolationTests.failure { close(try await document.openForReading()) } == .notPermitted)
        #expect(await IsolationTests.failure { _ = try await writing.commit() } == .notPermitted)
        #expect(IsolationTests.text(held) == "a")
        #expect(installation.read(installation.documents + "/revoked/a.txt") == "a")
        // The written content is kept, without waiting for the client's end.
        let versions = try await installation.docent("versions", "list", "--json", "LocalFolder:/revoked/a.txt")
            .succeeded().text
        #expect(versions.contains("recovered"), "\(versions)")
    }

    /// Rights to a folder survive a restart, and cover documents created meanwhile.
    private static func restart(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/restarted")
        let client = installation.client("org.example.Restarted")
        defer { client.close() }
        let folder = try await Rights.folder(client, "/restarted", access: .read)
        if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
        try installation.write("new", to: "restarted/new.txt")
        #expect(try await Rights.names(client, folder.reference) == ["new.txt"])
        #expect(await Rights.read(client, try await Rights.reference(installation, "/restarted/new.txt")) == "new")
    }

    @Test("on a server too, a right depends on where a document is now", arguments: [WebDAVServer.Kind.apache])
    func remote(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.makeFolder("work")
            try await server.put("a", "work/a.txt")
            try await server.put("b", "work/b.txt")
        } _: { remote in
            let installation = remote.installation
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let location = { (path: String) in
                DocumentLocation(provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: path)
            }
            let picker = DocumentPicker(client: client, validTypes: ["public.folder"])
            let folder = try await picker.openDocument(at: location("/work"), access: .read)
            let items = try await client.call(DocumentsInterface.List.self, .init(reference: folder.reference.wire))
            let references = Dictionary(
                uniqueKeysWithValues: items.value.items.map { ($0.name, DocumentReference($0.reference)) })
            let a = try #require(references["a.txt"])
            #expect(await Rights.read(client, a) == "a")
            // While the server cannot be asked, the last known places count.
            try await remote.faults().refuse()
            #expect(await Rights.read(client, a) == "a")
            try await remote.faults().accept()
            try await remote.server.move("work/a.txt", to: "a.txt")
            try await installation.eventually("the document moved out on the server cannot be read") {
                await Rights.read(client, a) != "a"
            }
            // Another document under the old name is in the folder; the document that is now at the top is not.
            try await remote.server.put("another", "work/a.txt")
            let top = try await picker.item(at: location("/a.txt")).reference
            #expect(await Rights.read(client, top) == Rights.refused)
        }
    }
}
