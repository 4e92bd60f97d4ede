import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// Logout against a real server and a real keyring (O7, E8).
@Suite(.needs(.daemon, .server, .keyring)) struct LogoutTests {
    @Test(
        "O7, E8: logout deletes credential, copies and placeholders and ends all access; after the next login rights and bookmarks work again",
        arguments: Sample.shared.of([WebDAVServer.Kind.apache, .rclone]))
    func wholeLife(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.withKeyring(server: kind) { server in
            for name in ["here", "there"] { try await server.put(name, "\(name).txt") }
        } _: { remote, keyring in
            try await remote.login().succeeded()
            #expect(try await keyring.secret() == RemoteInstallation.password)
            #expect(try await remote.domain()?.state == "ready")
            let client = remote.installation.client()
            let document = try await remote.open("here.txt", client: client)
            #expect(try await RemoteInstallation.text(document) == "here")
            let bookmark = try await document.bookmark()
            try await remote.docent("info", remote.location("there.txt")).succeeded()
            try await remote.eventually("copy and placeholder exist") {
                !remote.localFiles("here.txt").isEmpty
                    && !remote.localFiles(RemoteInstallation.placeholder("there.txt")).isEmpty
            }

            try await remote.logout().succeeded()
            #expect(try await keyring.secret() == nil)
            #expect(remote.filesHere().isEmpty && remote.unfinished.isEmpty)
            #expect(try await remote.domain()?.state == "signedOut")
            for arguments in [["ls", remote.location("")], ["cat", remote.location("here.txt")]] {
                let refused = try await remote.docent(arguments)
                #expect(refused.status == 4, "\(refused)")
                #expect(refused.errors.contains("docent login webdav@work"), "\(refused)")
            }
            await Self.expectSignedOut { _ = try await RemoteInstallation.text(document) }
            await Self.expectSignedOut { _ = try await client.resolve(bookmark: bookmark) }
            try await remote.restartDaemon()
            await Self.expectSignedOut {
                let other = remote.installation.client()
                _ = try await other.resolve(bookmark: bookmark)
            }
            #expect(try await remote.domain()?.state == "signedOut")

            try await remote.login().succeeded()
            #expect(try await remote.read("here.txt") == "here")
            let again = try await remote.installation.client().resolve(bookmark: bookmark).document
            #expect(try await RemoteInstallation.text(again) == "here")
        }
    }

    @Test("refresh of everything reports a signed-out account and ends with 0; an unreachable one is a failure")
    func refreshOfAll() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, _ in
            for name in ["work", "spare"] { try await remote.login(name).succeeded() }
            #expect(try await remote.read("a.txt") == "content")
            try await remote.logout("spare").succeeded()
            let refreshed = try await remote.docent("refresh")
            #expect(refreshed.status == 0 && refreshed.text.hasPrefix("changed: "), "\(refreshed)")
            #expect(refreshed.errors.contains("@spare could not be asked"), "\(refreshed)")
            #expect(refreshed.errors.contains("docent login"), "\(refreshed)")
            #expect(!refreshed.errors.contains("@work"), "\(refreshed)")
            #expect(try await remote.docent("refresh", "webdav@spare:/").status == 4)

            try await remote.faults().refuse()
            let offline = try await remote.docent("refresh")
            #expect(offline.status == 5, "\(offline)")
            for name in ["work", "spare"] { #expect(offline.errors.contains("@\(name) could not be asked")) }
        }
    }

    private static func expectSignedOut(
        _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: DocumentsError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error?.code == .notAuthenticated, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test("O7: logout during a download ends it with 4, and nothing of it is left")
    func duringDownload() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put(Installation.content("large", lines: 200_000), "large.txt")
        } _: { remote, keyring in
            try await remote.login().succeeded()
            try await remote.faults().add(.throttle(100_000).on("GET").always)
            async let reading = remote.docent("cat", remote.location("large.txt"))
            _ = try await remote.faults().request("the content is on its way") { $0.method == "GET" }
            try await remote.eventually("a part of it has arrived") { !remote.unfinished.isEmpty }
            try await remote.logout().succeeded()
            let read = try await reading
            #expect(read.status == 4, "\(read.status) \(read.errors)")
            #expect(remote.filesHere().isEmpty && remote.unfinished.isEmpty)
            #expect(try await remote.transfers().isEmpty)
            #expect(try await keyring.secret() == nil)
            let count = try await remote.requestCount()
            // There is no event for something that does not happen.
            try await Task.sleep(for: .seconds(3))
            #expect(try await remote.requestCount() == count, "no request is sent for a signed-out domain")
        }
    }

    @Test(
        "O7: logout during a hanging upload ends it; the change is kept, and the server has all or nothing of it"
    )
    func duringUpload() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("old", "a.txt")
        } _: { remote, _ in
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            let text = Installation.content("mine", lines: 100_000)
            try await remote.faults().add(.hang(.requestBody, after: 1_000).on("PUT").always)
            try await remote.write(text, "a.txt").succeeded()
            _ = try await remote.faults().request("it is on its way") { $0.method == "PUT" }
            let out = try await remote.logout(arguments: ["--timeout", "2"])
            #expect(out.status == 0 && out.text.contains("a.txt"), "\(out)")
            let versions = try await remote.versions()
            #expect(versions.map(\.name) == ["a.txt"])
            let kept = try #require(versions.first)
            #expect(try await remote.docent("versions", "show", kept.identifier).succeeded().text == text)
            #expect(remote.onServer("a.txt") == "old")
            #expect(try await remote.transfers().isEmpty)
            try await remote.faults().clearRules()
            try await remote.login().succeeded()
            #expect(try await remote.read("a.txt") == "old")
        }
    }

    @Test("another domain's copies, transfers, rights and credential are untouched by a logout")
    func otherDomains() async throws {
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b"] { try await server.put(name, "\(name).txt") }
        } _: { remote, keyring in
            for name in ["work", "home"] { try await remote.login(name).succeeded() }
            #expect(try await remote.read("a.txt") == "a")
            let client = remote.installation.client()
            let document = try await DocumentPicker(client: client).openDocument(
                at: DocumentLocation(provider: RemoteInstallation.provider, domain: "home", path: "/a.txt"))
            #expect(try await RemoteInstallation.text(document) == "a")
            let before = remote.filesHere("home")
            try await remote.faults().add(.hold().on("PUT").always)
            try await remote.docent("write", "webdav@home:/b.txt", input: Data("mine".utf8)).succeeded()
            _ = try await remote.faults().request("an upload of the other") { $0.method == "PUT" }

            try await remote.logout("work").succeeded()
            #expect(try await keyring.secret(domain: "home") == RemoteInstallation.password)
            #expect(try await keyring.secret(domain: "work") == nil)
            #expect(Set(before).isSubset(of: remote.filesHere("home")))
            #expect(try await remote.transfers().map(\.name) == ["b.txt"])
            #expect(try await RemoteInstallation.text(document) == "a")
            try await remote.faults().clearRules()
            try await remote.faults().release()
            #expect(try await remote.drain().status == 0)
            #expect(remote.onServer("b.txt") == "mine")
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test("O7, L2: logout ends leases, which are counted, and keeps and names an uncommitted write")
    func held() async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("content", "a.txt")
        } _: { remote, _ in
            try await remote.login().succeeded()
            let client = remote.installation.client()
            let document = try await remote.open("a.txt", client: client)
            #expect(try await RemoteInstallation.text(document) == "content")
            let session = try await document.beginWriting(replacing: true)
            try writeAll("half", to: session.descriptor)

            let reply = try await remote.installation.client("org.docent.other").call(
                AdministrationInterface.Logout.self,
                .init(provider: RemoteInstallation.provider, domain: RemoteInstallation.domain)
            ).value
            #expect(reply.openDescriptors == 1)
            #expect(reply.kept?.map(\.name) == ["a.txt"] && reply.kept?.first?.reason == "recovered")
            #expect(reply.domain?.state == "signedOut")
            await Self.expectSignedOut { _ = try await session.commit() }
            await Self.expectSignedOut { _ = try await document.beginWriting(replacing: true) }
            let kept = try #require(reply.kept?.first)
            #expect(try await remote.docent("versions", "show", kept.identifier).succeeded().text == "half")
            #expect(remote.onServer("a.txt") == "content")

            try await remote.login().succeeded()
            try await RemoteInstallation.save("mine", document)
            #expect(try await remote.drain().status == 0)
            #expect(remote.onServer("a.txt") == "mine")
        }
    }
}
