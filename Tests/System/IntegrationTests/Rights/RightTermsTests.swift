import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// The duration of rights, the companions that they cover, and how clients give them up.
@Suite(.needs(.daemon, .server)) struct RightTermsTests {
    @Test("companions follow the document's current name; other files are not covered")
    func companions() async throws {
        try await Installation.withLocalFolder { installation in
            try Rights.makeFolder(installation, "/other")
            for name in ["movie.mkv", "movie.srt", "film.srt", "other/movie.srt"] {
                try installation.write(name, to: name)
            }
            let srt = try await Rights.reference(installation, "/movie.srt")
            let film = try await Rights.reference(installation, "/film.srt")
            let elsewhere = try await Rights.reference(installation, "/other/movie.srt")
            try await IsolationTests.withConfinedClient(installation, "org.example.Player") { client in
                let movie = try await Rights.give(
                    installation, "org.example.Player", "/movie.mkv", access: "read", companions: ["{stem}.srt"])
                #expect(await Rights.read(client, movie) == "movie.mkv")
                #expect(await Rights.read(client, srt) == "movie.srt")
                #expect(await Rights.read(client, film) == Rights.refused)
                #expect(await Rights.read(client, elsewhere) == Rights.refused)
                #expect(
                    await IsolationTests.failure { _ = try await client.document(srt).beginWriting() } == .notPermitted)
                // By its name in the folder, which is how a player finds it.
                let parent = try #require(
                    try await client.call(DocumentsInterface.Info.self, .init(reference: movie.wire)).value.item.parent)
                let folder = DocumentReference(provider: movie.provider, identifier: parent)
                #expect(await IsolationTests.failure { _ = try await Rights.names(client, folder) } == .notPermitted)
                // The document's name counts, not its companions at the time of the grant.
                let path = installation.documents
                #expect(rename(path + "/movie.mkv", path + "/film.mkv") == 0)
                try await installation.eventually("the companion of the new name is covered") {
                    await Rights.read(client, film) == "film.srt"
                }
                try await installation.eventually("the companion of the old name is not") {
                    await Rights.read(client, srt) == Rights.refused
                }
                // A moved document does not take along the companions left behind.
                #expect(rename(path + "/film.mkv", path + "/other/movie.mkv") == 0)
                try await installation.eventually("a companion left behind is not covered") {
                    await Rights.read(client, film) == Rights.refused
                }
                try await installation.eventually("a companion at the new place is") {
                    await Rights.read(client, elsewhere) == "other/movie.srt"
                }
            }
        }
    }

    @Test("a right with an expiry ends then, with its lease, its bookmark and its write session")
    func expiry() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("a", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: Rights.location("/a.txt"), expiresAfter: .seconds(10))
            let bookmark = try await document.bookmark()
            let writing = try await document.beginWriting(replacing: true)
            #expect(IsolationTests.text(try await document.openForReading()) == "a")
            try await installation.eventually("the right has ended") {
                await IsolationTests.failure { close(try await document.openForReading()) } == .notPermitted
            }
            #expect(await IsolationTests.failure { _ = try await writing.commit() } == .notPermitted)
            #expect(await IsolationTests.failure { _ = try await client.resolve(bookmark: bookmark) } != nil)
            try await installation.eventually("it is removed and logged") {
                guard try await Rights.grants(installation).isEmpty else { return false }
                return try await IsolationTests.audit(installation).contains { $0.event == "expired" }
            }
            #expect(installation.read(installation.documents + "/a.txt") == "a")
        }
    }

    @Test("a client can narrow and give up its right, and make it last if that was offered; it cannot extend it")
    func narrowing() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("a", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(at: Rights.location("/a.txt"))
            let writing = try await document.beginWriting(replacing: true)
            try await document.narrowAccess(to: .read)
            #expect(await IsolationTests.failure { _ = try await writing.commit() } == .notPermitted)
            #expect(await IsolationTests.failure { _ = try await document.beginWriting() } == .notPermitted)
            #expect(IsolationTests.text(try await document.openForReading()) == "a")
            #expect(await IsolationTests.failure { try await document.narrowAccess(to: .readWrite) } == .notPermitted)
            // The user can.
            _ = try await DocumentPicker(client: client).openDocument(at: Rights.location("/a.txt"))
            try await Rights.save("b", document)
            try await document.giveUpAccess()
            #expect(await IsolationTests.failure { close(try await document.openForReading()) } == .notPermitted)
            #expect(try await Rights.grants(installation).isEmpty)
            let code = await IsolationTests.failure {
                _ = try await DocumentPicker(client: client).openDocument(
                    at: Rights.location("/a.txt"), companions: ["../*"])
            }
            #expect(code == .invalidArgument)
            #expect(try await Rights.grants(installation).isEmpty)
            // A right for the client's run time lasts once the client takes it, or makes a bookmark.
            for takes in [true, false] {
                let short = try await DocumentPicker(client: client).openDocument(
                    at: Rights.location("/a.txt"), persistence: .transient)
                #expect(try await Rights.grants(installation).map(\.isTaken) == [false])
                if takes { try await short.takePersistentAccess() } else { _ = try await short.bookmark() }
                #expect(try await Rights.grants(installation).map(\.isTaken) == [true])
                try await short.giveUpAccess()
            }
        }
    }

    @Test("I3: revoking a right ends a download that no other client waits for")
    func downloads() async throws {
        try await RemoteInstallation.with { server in
            try await server.put(Installation.content("a", lines: 5_000), "a.txt")
        } _: { remote in
            let client = remote.installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await remote.open("a.txt", client: client)
            try await remote.faults().add(.hold(.responseBody, after: 1_000).on("GET", "a.txt").always)
            async let code = IsolationTests.failure { close(try await document.openForReading()) }
            try await remote.eventually("it is fetched") { try await remote.transfer("a.txt")?.waiters == 1 }
            try await remote.installation.docent("revoke", "--client", "org.example.Editor", "--yes").succeeded()
            #expect(await code == .notPermitted)
            try await remote.eventually("nothing is fetched any more") { try await remote.transfers().isEmpty }
            try await remote.faults().release()
        }
    }

    @Test("I1: a confined program can list its grants, with the library and the command")
    func listing() async throws {
        try await Installation.withLocalFolder { installation in
            for number in 0..<3 { try installation.write("\(number)", to: "\(number).txt") }
            try await IsolationTests.withSocket(installation, "org.example.Player") { socket in
                let environment = ["DOCENT_SOCKET": socket]
                let nothing = try await installation.docent("ls", "--json", environment: environment).succeeded()
                #expect(try nothing.json([Rights.Grant].self).isEmpty)
                for number in 0..<2 { try await Rights.give(installation, "org.example.Player", "/\(number).txt") }
                try await Rights.give(installation, "org.example.Other", "/2.txt")
                struct Line: Decodable {
                    var name: String?
                    var access: String
                }
                let listed = try await installation.docent("ls", "--json", environment: environment).succeeded()
                #expect(try listed.json([Line].self).map(\.access) == ["readWrite", "readWrite"])
                let text = try await installation.docent("ls", environment: environment).succeeded().text
                #expect(text.split(separator: "\n").count == 2 && text.contains("docent://"), "\(text)")
                // And nothing else.
                #expect(try await installation.docent("ls", "LocalFolder:/", environment: environment).status == 3)
            }
        }
    }
}
