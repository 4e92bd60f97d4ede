import DocentTestSupport
import FileProvider
import FoundationEssentials
import Testing
import WebDAV

/// Authentication and TLS.
@Suite(.needs(.server)) struct AccountTests {
    private static func with(
        _ options: [String], _ body: (_ url: String, _ output: String) async throws -> Void
    ) async throws {
        let directory = Shell.temporary("account")
        let output = try TestServers.start(.apache, options, in: directory)
        defer {
            _ = try? Shell.run("'\(Repository.servers)/apache.sh' stop '\(directory)'; rm -rf '\(directory)'")
        }
        try await body(TestServers.field("url", of: output), output)
    }

    @Test("a password signs in, whatever authentication scheme the server requires", arguments: ["basic", "digest"])
    func password(_ scheme: String) async throws {
        try await Self.with(["--user", "anna", "--password", "hush-geheim09af", "--auth", scheme]) { url, _ in
            let storage = Shell.temporary("storage")
            defer { try? FileManager.default.removeItem(atPath: storage) }
            let provider = try WebDAVFixture.make(url, storage, ["username": "anna"])
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            #expect(await code { try await provider.signIn(Credential(secret: "hush-wrong7b31")) } == .notAuthenticated)
            #expect(try await provider.signIn(Credential(secret: "hush-geheim09af")) == "anna")
            let text = String(repeating: "0123456789", count: 300_000)
            let item = try await provider.createItem(
                basedOn: ItemTemplate(parent: .rootContainer, filename: "a.txt"),
                contents: WebDAVFixture.contents(text),
                operation: ChangeOperation(identifier: "op"))
            let changed = try await provider.modifyItem(
                item.identifier, baseVersion: item.version, contents: WebDAVFixture.contents(text + "!"),
                operation: ChangeOperation(identifier: "op2"))
            #expect(try await WebDAVFixture.fetch(provider, changed.item.identifier).text == text + "!")
            await provider.signOut()
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
        }
    }

    @Test("TLS is verified, with a private certificate authority if given")
    func tls() async throws {
        try await Self.with(["--tls"]) { url, output in
            let storage = Shell.temporary("storage")
            defer { try? FileManager.default.removeItem(atPath: storage) }
            #expect(
                await code { try await WebDAVFixture.make(url, storage).item(for: .rootContainer) } == .failed)
            let authority = try String(
                contentsOf: URL(filePath: TestServers.field("ca", of: output)), encoding: .utf8)
            let provider = try WebDAVFixture.make(url, storage, ["certificateAuthorityData": authority])
            #expect(try await provider.item(for: .rootContainer).isFolder)
            #expect(throws: FileProviderError.self) {
                try WebDAVFixture.make(url, storage, ["certificateAuthorityData": "/etc/passwd"])
            }
        }
    }
}
