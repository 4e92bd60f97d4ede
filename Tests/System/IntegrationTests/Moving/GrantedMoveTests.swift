import DocentTestSupport
import Documents
import Foundation
import Testing

/// Moving and deleting by clients with grants, on a server whose identifiers are paths.
@Suite(.needs(.daemon, .server)) struct GrantedMoveTests {
    private static func failure(_ body: () async throws -> Void) async -> DocumentsError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DocumentsError)?.code
        }
    }

    private static func folder(_ client: DocumentsClient) async throws -> SecurityScopedDocument {
        try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/Folder"))
    }

    @Test("HAZARDS 5: the version returned by a save still names its content after the upload was confirmed")
    func deletesWhatItSaved() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let document = try await remote.open("a.txt", client: client)
            let session = try await document.beginWriting(replacing: true)
            try FileHandle(fileDescriptor: session.descriptor, closeOnDealloc: false).write(
                contentsOf: Data("two".utf8))
            let version = try #require(try await session.commit().version)
            try await remote.drain().succeeded()
            #expect(try await document.item().version != version)
            try await FileCoordinator(client: client).coordinate(
                writingItemAt: document.reference, options: .forDeleting
            ) {
                try await $0.delete(version: version)
            }
            #expect(try await remote.server.list().isEmpty)
        }
    }

    @Test("H9, 2.5: a client moves and deletes a granted document, and its right follows")
    func granted() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
            try await server.makeFolder("Folder")
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let document = try await remote.open("a.txt", client: client)
            let folder = try await Self.folder(client)
            let coordinator = FileCoordinator(client: client)
            let renamed = try await coordinator.coordinate(writingItemAt: document.reference, options: .forMoving) {
                try await $0.move(name: "b.txt")
            }
            #expect(renamed.name == "b.txt")
            #expect(try await remote.server.list() == ["Folder", "b.txt"])
            let moved = try await coordinator.coordinate(writingItemAt: renamed.reference, options: .forMoving) {
                try await $0.move(to: folder.reference)
            }
            #expect(try await remote.server.list("Folder") == ["b.txt"])
            #expect(try await RemoteInstallation.text(document) == "one")
            // Other documents under the former names were not granted.
            try await remote.server.put("stranger's", "a.txt")
            try await remote.server.put("stranger's", "b.txt")
            #expect(try await remote.names() == ["Folder/", "a.txt", "b.txt"])
            #expect(try await RemoteInstallation.text(document) == "one")

            let version = try await client.document(moved.reference, access: .readWrite).item().version
            try await remote.server.put("another's", "Folder/b.txt")
            let isRefused = await Self.failure {
                try await coordinator.coordinate(writingItemAt: moved.reference, options: .forDeleting) {
                    try await $0.delete(version: version)
                }
            }
            #expect(isRefused == .conflict)
            try await coordinator.coordinate(writingItemAt: moved.reference, options: .forDeleting) {
                try await $0.delete()
            }
            #expect(try await remote.server.list("Folder").isEmpty)
            #expect(try await remote.server.text("a.txt") == "stranger's")
            #expect(try await remote.server.text("b.txt") == "stranger's")
        }
    }

    @Test("S4, H9: a confined client moves and deletes only what it may write, and a rename gives it no further right")
    func confined() async throws {
        try await RemoteInstallation.with { server in
            for name in ["read.txt", "write.txt", "other.txt"] { try await server.put(name, name) }
            try await server.makeFolder("Folder")
        } _: { remote in
            let installation = remote.installation
            let identifier = "org.example.boxed"
            let client = installation.client(identifier)
            let picker = DocumentPicker(client: client)
            func place(_ path: String) -> DocumentLocation {
                DocumentLocation(provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: path)
            }
            let read = try await picker.openDocument(at: place("/read.txt"), access: .read).reference
            let write = try await picker.openDocument(at: place("/write.txt")).reference
            let stranger = installation.client()
            let other = try await remote.open("other.txt", client: stranger).reference
            let folder = try await Self.folder(stranger).reference
            stranger.close()
            client.close()
            try await installation.stopDaemon()
            // Nobody can choose for a confined client from outside yet, so the right is written to the daemon's
            // database.
            let program = """
                import sqlite3, sys
                base = sqlite3.connect(sys.argv[1])
                base.execute("UPDATE grants SET principal_kind = 'run' WHERE principal_id = ?", (sys.argv[2],))
                base.commit()
                """
            try await installation.run(
                "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite", identifier]
            ).succeeded()

            try await IsolationTests.withConfinedClient(installation, identifier) { confined in
                let coordinator = FileCoordinator(client: confined)
                func move(_ item: DocumentReference, to folder: DocumentReference? = nil, name: String? = nil)
                    async -> DocumentsError.Code?
                {
                    await Self.failure {
                        try await coordinator.coordinate(writingItemAt: item, options: .forMoving) {
                            _ = try await $0.move(to: folder, name: name)
                        }
                    }
                }
                func delete(_ item: DocumentReference) async -> DocumentsError.Code? {
                    await Self.failure {
                        try await coordinator.coordinate(writingItemAt: item, options: .forDeleting) {
                            try await $0.delete()
                        }
                    }
                }
                for item in [read, other] {
                    let answers = [await move(item, name: "mine.txt"), await delete(item)]
                    #expect(answers == [.notPermitted, .notPermitted], "\(item)")
                }
                let into = await move(write, to: folder)
                #expect(into == .notPermitted, "a folder that it may not write")
                let taken = await move(write, name: "other.txt")
                #expect(taken == .conflict)
                #expect(try await remote.server.list() == ["Folder", "other.txt", "read.txt", "write.txt"])

                let renamed = await move(write, name: "mine.txt")
                #expect(renamed == nil)
                #expect(try await remote.server.list() == ["Folder", "mine.txt", "other.txt", "read.txt"])
                let document = confined.document(write, access: .readWrite)
                #expect(try await RemoteInstallation.text(document) == "write.txt")
                // A foreign document takes the former name: the right has followed the move, and does not apply to it.
                try await remote.server.put("stranger's", "write.txt")
                #expect(try await remote.names().contains("write.txt"))
                let text = try? await RemoteInstallation.text(document)
                #expect(text != "stranger's")
                let gone = await delete(document.reference)
                #expect(
                    try await remote.server.text("write.txt") == "stranger's", "\(gone.map(\.rawValue) ?? "deleted")")
                #expect(try await remote.server.text("other.txt") == "other.txt")
            }
            try await installation.stopDaemon()
        }
    }
}
