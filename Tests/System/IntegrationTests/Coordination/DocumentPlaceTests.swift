import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Documents created by name in a folder to which their client has a right (M3, C11, W).
@Suite(.needs(.daemon, .server, within: .seconds(300))) @MainActor struct DocumentPlaceTests {
    private final class Text: Document {
        var text = ""

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        }

        override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

        func edit(_ text: String) {
            self.text = text
            updateChangeCount(.done)
        }
    }

    private static func folder(
        _ client: DocumentsClient, _ location: String, _ access: AccessMode = .readWrite
    ) async throws -> DocumentReference {
        try await DocumentPicker(client: client, validTypes: ["public.folder"])
            .openDocument(at: try DocumentLocation(location), access: access).reference
    }

    private static func document(
        _ name: String, _ text: String, in folder: DocumentReference, _ client: DocumentsClient
    ) -> Text {
        let document = Text(client: client, place: DocumentPlace(name: name, in: folder))
        document.edit(text)
        return document
    }

    @Test(
        "M1, M3, M7: a document is created in LocalFolder, edited, followed, closed, and opened again"
    )
    func local() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Notes", withIntermediateDirectories: true)
            let client = installation.client()
            defer { client.close() }
            let folder = try await Self.folder(client, "LocalFolder:/Notes")
            let document = Self.document("new.md", "fresh", in: folder, client)
            #expect(document.state == .closed && document.localizedName == "new")
            await #expect(throws: DocumentsError.self) { try await document.open() }
            try await document.save(for: .creating)
            #expect(installation.read(installation.documents + "/Notes/new.md") == "fresh")
            #expect(document.state == .normal && !document.hasUnsavedChanges)
            #expect(document.fileType == "net.daringfireball.markdown")
            document.edit("more")
            try await document.save()
            #expect(installation.read(installation.documents + "/Notes/new.md") == "more")
            // It presents, and follows a rename.
            try await installation.docent("rename", "LocalFolder:/Notes/new.md", "newer.md").succeeded()
            try await installation.eventually("it follows") { document.localizedName == "newer" }
            document.edit("after the move")
            try await document.close()
            #expect(installation.read(installation.documents + "/Notes/newer.md") == "after the move")
            try await document.open()
            #expect(document.text == "after the move")
            try await document.close()
        }
    }

    @Test("M3: an existing item of that name is never replaced; nothing is lost, and another place works")
    func collision() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("theirs", to: "taken.md")
            let client = installation.client()
            defer { client.close() }
            let folder = try await Self.folder(client, "LocalFolder:/")
            let document = Self.document("taken.md", "mine", in: folder, client)
            let error = try await failure { try await document.save(for: .creating) }
            #expect(error.code == .conflict && error.suggestion != nil, "\(error)")
            #expect(document.hasUnsavedChanges && document.state == [.closed, .savingError])
            #expect(installation.read(installation.documents + "/taken.md") == "theirs")
            try await document.save(to: .place(DocumentPlace(name: "free.md", in: folder)), for: .creating)
            #expect(installation.read(installation.documents + "/free.md") == "mine")
            #expect(document.state == .normal)
            try await document.close()
        }
    }

    @Test("M3: if two clients create the same document at once, one succeeds")
    func race() async throws {
        try await Installation.withLocalFolder { installation in
            let client = installation.client()
            defer { client.close() }
            let folder = try await Self.folder(client, "LocalFolder:/")
            var sessions: [WriteSession] = []
            for text in ["first", "second"] {
                let session = try await WriteSession.create("one.txt", in: folder, client: client)
                try FileHandle(fileDescriptor: session.descriptor).write(contentsOf: Data(text.utf8))
                sessions.append(session)
            }
            try await sessions[0].commit()
            let error = try await failure { _ = try await sessions[1].commit() }
            #expect(error.code == .conflict, "\(error)")
            #expect(installation.read(installation.documents + "/one.txt") == "first")
            #expect(installation.leftovers.isEmpty, "\(installation.leftovers)")
        }
    }

    @Test(
        "I1: without the right to write the folder nothing is created in it, not even element by element in a package")
    func needsRight() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("p.rtfd", ["TXT.rtf": "text"])
            let client = installation.client()
            let other = installation.client("org.docent.other")
            defer {
                client.close()
                other.close()
            }
            let folder = try await Self.folder(client, "LocalFolder:/", .read)
            for caller in [client, other] {
                let error = try await failure {
                    try await Self.document("a.md", "mine", in: folder, caller).save(for: .creating)
                }
                #expect(error.code == .notPermitted, "\(error)")
            }
            let writer = installation.client("org.docent.writer")
            defer { writer.close() }
            let package = try await DocumentPicker(client: writer).openDocument(
                at: try DocumentLocation("LocalFolder:/p.rtfd"))
            let inside = try await failure {
                try await Self.document("a.md", "mine", in: package.reference, writer).save(for: .creating)
            }
            #expect(inside.code == .invalidArgument, "\(inside)")
            let top = try await Self.folder(writer, "LocalFolder:/")
            for name in ["", ".", "..", "a/b", "a\u{0}b"] {
                let error = try await failure {
                    try await Self.document(name, "mine", in: top, writer).save(for: .creating)
                }
                #expect(error.code == .invalidArgument, "\(name): \(error)")
            }
            #expect(installation.documentNames == ["p.rtfd"])
        }
    }

    @Test(
        "M3, law 6: a document is created on a server and sent, also while the server is unreachable",
        arguments: [false, true])
    func remote(isOffline: Bool) async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("folder")
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let folder = try await Self.folder(client, remote.location("folder"))
            _ = try await remote.docent("ls", remote.location("folder")).succeeded()
            if isOffline { try await remote.faults().refuse() }
            let document = Self.document("new.txt", "fresh", in: folder, client)
            try await document.save(for: .creating)
            #expect(document.state == .normal)
            document.edit("more")
            try await document.save()
            if isOffline { try await remote.faults().accept() }
            try await remote.drain().succeeded()
            #expect(try await remote.server.text("folder/new.txt") == "more")
            // The provider has given it another identifier meanwhile; it is the same document.
            document.edit("even more")
            try await document.save()
            try await remote.drain().succeeded()
            #expect(try await remote.server.text("folder/new.txt") == "even more")
            try await remote.server.put("theirs", "folder/new.txt")
            try await remote.installation.eventually("it follows the server", within: 90) { document.text == "theirs" }
            try await remote.docent("rename", remote.location("folder/new.txt"), "b.txt")
                .succeeded()
            try await remote.eventually("it follows the move") { document.localizedName == "b" }
            try await document.close()
            #expect(try await remote.versions().isEmpty)
            // The name is free, and is taken again.
            let second = Self.document("b.txt", "mine", in: folder, client)
            #expect(try await failure { try await second.save(for: .creating) }.code == .conflict)
            #expect(try await remote.server.text("folder/b.txt") == "theirs")
        }
    }

    @Test("D3: writing a new document continues with the next daemon")
    func restart() async throws {
        try await Installation.withLocalFolder { installation in
            let client = installation.client()
            defer { client.close() }
            let folder = try await Self.folder(client, "LocalFolder:/")
            let session = try await WriteSession.create("new.txt", in: folder, client: client)
            let file = FileHandle(fileDescriptor: session.descriptor)
            try file.write(contentsOf: Data("before ".utf8))
            kill(try #require(installation.daemonProcess), SIGKILL)
            try file.write(contentsOf: Data("and after".utf8))
            let item = try await session.commit()
            #expect(item.name == "new.txt")
            #expect(installation.read(installation.documents + "/new.txt") == "before and after")
        }
    }

    @Test("W0: content that a killed client wrote to a new document is kept")
    func killed() async throws {
        try await Installation.withLocalFolder { installation in
            let probe = try await Probe(installation)
            let id = try probe.send("stage-new", "LocalFolder:/", "new.txt", "unsaved")
            try await probe.wait(id, for: "staged")
            probe.process.send(SIGKILL)
            try await installation.eventually("it is kept") {
                try await installation.docent("versions", "--json").succeeded().text.contains("new.txt")
            }
            #expect(installation.documentNames.isEmpty)
        }
    }

    @Test(
        "W: after kill -9 of the daemon at each step a new document exists completely or not at all",
        arguments: Sample.shared.of(["committed", "published", "recorded", "uploadRecorded", "uploaded"]))
    func kills(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let client = installation.passiveClient()
            let folder = try await Self.folder(client, "LocalFolder:/")
            let session = try await WriteSession.create("n.txt", in: folder, client: client)
            try FileHandle(fileDescriptor: session.descriptor).write(contentsOf: Data("whole".utf8))
            _ = try? await session.commit()
            try await installation.waitForEnd(of: daemon)
            client.close()
            let next = try await installation.readyDaemon()
            let later = installation.passiveClient()
            try await installation.eventually("it has finished") {
                try await later.outcome(of: session.operation).state == .finished
            }
            #expect(installation.read(installation.documents + "/n.txt") == "whole")
            #expect(installation.documentNames == ["n.txt"])
            try await installation.eventually("nothing is left: \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
            later.close()
            try await installation.killDaemon(next)
        }
    }

    @Test("2.2, 2.4: a coordinated write at a name creates the document, and presenters of the folder learn who did it")
    func coordinated() async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/Notes", withIntermediateDirectories: true)
            let presenter = try await Probe(installation, client: "org.example.Presenter")
            let shown = try presenter.send("present", "LocalFolder:/Notes", "quick")
            try await presenter.wait(shown, for: "presenting")
            let probe = try await Probe(installation, client: "org.example.Maker")
            let made = try probe.send("create", "LocalFolder:/Notes", "a.txt", "made")
            let identifier = try await probe.wait(made, for: "ok")[1]
            #expect(installation.read(installation.documents + "/Notes/a.txt") == "made")
            #expect(try await presenter.wait(shown, for: "subitemDidAppear")[1] == identifier)
            // Once the document exists, the same call writes it.
            try await probe.wait(try probe.send("create", "LocalFolder:/Notes", "a.txt", "again"), for: "ok")
            #expect(installation.read(installation.documents + "/Notes/a.txt") == "again")
            #expect(presenter.kinds(shown).filter { $0 == "subitemDidAppear" }.count == 1)
        }
    }
}
