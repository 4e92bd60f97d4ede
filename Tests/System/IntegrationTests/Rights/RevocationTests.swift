import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// What rights cover on a server, how they are listed, and what ends with them (I3).
@Suite(.needs(.daemon, .server)) struct RevocationTests {
    @Test("on a server too, a right covers the companions that its patterns name, and nothing else")
    func companionsOnServer() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("other")
            for name in ["movie.mkv", "movie.srt", "film.srt", "other/movie.srt"] { try await server.put(name, name) }
        } _: { remote in
            let installation = remote.installation
            let client = installation.client("org.example.Player")
            let user = installation.client("org.docent.administrator")
            defer {
                client.close()
                user.close()
            }
            let location = { (path: String) in
                DocumentLocation(provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: path)
            }
            let picker = DocumentPicker(client: user)
            let srt = try await picker.item(at: location("/movie.srt")).reference
            let film = try await picker.item(at: location("/film.srt")).reference
            let elsewhere = try await picker.item(at: location("/other/movie.srt")).reference
            _ = try await DocumentPicker(client: client).openDocument(
                at: location("/movie.mkv"), access: .read, companions: ["{stem}.srt"])
            #expect(await Rights.read(client, srt) == "movie.srt")
            #expect(await Rights.read(client, film) == Rights.refused)
            #expect(await Rights.read(client, elsewhere) == Rights.refused)
            // A fetched document can be read while the server cannot be asked: its last known place counts.
            try await remote.faults().refuse()
            #expect(await Rights.read(client, srt) == "movie.srt")
            #expect(await Rights.read(client, film) == Rights.refused)
            try await remote.faults().accept()
        }
    }

    @Test("rights are listed in pages, each once and in order, also during revocations")
    func pages() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("a", to: "a.txt")
            let user = installation.client("org.docent.administrator")
            defer { user.close() }
            let count = 230
            for number in 0..<count {
                _ = try await user.call(
                    AdministrationInterface.AddGrant.self,
                    .init(
                        clientKind: "run", client: "org.example.Client\(number)",
                        location: Rights.location("/a.txt").wire, access: "read"))
            }
            var (clients, page, pages): ([String], String?, Int) = ([], nil, 0)
            repeat {
                let reply = try await user.call(AdministrationInterface.ListGrants.self, .init(page: page)).value
                clients += reply.grants.map(\.client)
                (page, pages) = (reply.nextPage, pages + 1)
                if pages == 1 {
                    // One that was already listed, and one that was not.
                    for number in [0, count - 1] {
                        try await installation.docent("revoke", "--client", "org.example.Client\(number)", "--yes")
                            .succeeded()
                    }
                }
            } while page != nil && pages < count
            #expect(clients == (0..<count - 1).map { "org.example.Client\($0)" })
            #expect(pages > 1)
            for page in ["-1", "first", "9223372036854775808"] {
                let code = await IsolationTests.failure {
                    _ = try await user.call(AdministrationInterface.ListGrants.self, .init(page: page))
                }
                #expect(code == .invalidArgument)
            }
        }
    }

    @Test("G7: a bookmark based on a right ends with it, and a later right does not revive it")
    func bookmarkAfterExpiry() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("a", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: Rights.location("/a.txt"), expiresAfter: .seconds(10))
            let bookmark = try await document.bookmark()
            #expect(try await client.resolve(bookmark: bookmark).item.name == "a.txt")
            try await installation.eventually("the right and its bookmark have ended") {
                await IsolationTests.failure { _ = try await client.resolve(bookmark: bookmark) } == .notFound
            }
            try await installation.eventually("the right is removed") { try await Rights.grants(installation).isEmpty }
            _ = try await DocumentPicker(client: client).openDocument(at: Rights.location("/a.txt"))
            #expect(await IsolationTests.failure { _ = try await client.resolve(bookmark: bookmark) } == .notFound)
        }
    }
}
