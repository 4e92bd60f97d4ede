import DocentTestSupport
import FileProvider
import FoundationEssentials
import HTTPTransport
import Synchronization
import Testing

@testable import WebDAV

/// Requests after a server redirects to another address: the record of every request at the first one.
@Suite(.needs(.server)) struct RedirectTests {
    private static func with(_ body: (_ server: String, _ proxy: Proxy) async throws -> Void) async throws {
        let directory = Shell.temporary("redirect")
        let output = try TestServers.start(
            .apache, ["--user", "anna", "--password", "hush-redirect-4f1a"], in: directory)
        defer {
            _ = try? Shell.run("'\(Repository.servers)/apache.sh' kill '\(directory)'; rm -rf '\(directory)'")
        }
        let url = try TestServers.field("url", of: output)
        try await Proxy.with(url) { try await body(url, $0) }
    }

    private static func lead(_ proxy: Proxy, to target: String, status: Int = 308) throws {
        try proxy.add(
            #"{"action": "status", "status": \#(status), "times": 0, "headers": {"Location": "\#(target)"}}"#)
    }

    private static func error(_ body: () async throws -> some Sendable) async -> FileProviderError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return FileProviderError(wrapping: error)
        }
    }

    @Test(
        "another port, another host, https and plain text of another kind are not followed with credentials",
        arguments: ["port", "host", "https"], ["password", "token"])
    func elsewhere(_ place: String, _ kind: String) async throws {
        try await Self.with { server, proxy in
            try await Proxy.with(server) { other in
                let target =
                    switch place {
                    case "port": other.url
                    case "host": other.url.replacing("127.0.0.1", with: "localhost")
                    default: other.url.replacing("http:", with: "https:")
                    }
                try Self.lead(proxy, to: target)
                let storage = Shell.temporary("storage")
                defer { try? FileManager.default.removeItem(atPath: storage) }
                let provider = try WebDAVFixture.make(proxy.url, storage)
                let credential =
                    kind == "token"
                    ? Credential(kind: .token, secret: "hush-redirect-77b0")
                    : Credential(username: "anna", secret: "hush-redirect-4f1a")
                let error = try #require(await Self.error { try await provider.signIn(credential) })
                #expect(error.code == (place == "https" ? .notAuthenticated : .failed), "\(error.message)")
                #expect((error.underlying.first?.text == target) == (place == "https"))
                #expect(try proxy.requests().contains("PROPFIND"))
                for requests in [try proxy.requests(), try other.requests()] {
                    #expect(!requests.lowercased().contains("authorization"), "\(requests)")
                }
            }
        }
    }

    @Test("a server that begins to redirect later gets no credentials sent elsewhere, for any request")
    func later() async throws {
        try await Self.with { server, proxy in
            try await Proxy.with(server) { other in
                let storage = Shell.temporary("storage")
                defer { try? FileManager.default.removeItem(atPath: storage) }
                let provider = try WebDAVFixture.make(proxy.url, storage)
                _ = try await provider.signIn(Credential(username: "anna", secret: "hush-redirect-4f1a"))
                let item = try await provider.createItem(
                    basedOn: ItemTemplate(parent: .rootContainer, filename: "a.txt"),
                    contents: WebDAVFixture.contents("Alpha"), operation: ChangeOperation(identifier: "op"))
                try Self.lead(proxy, to: other.url + "a.txt")
                #expect(await Self.error { try await WebDAVFixture.list(provider) }?.code == .failed)
                #expect(
                    await Self.error { try await WebDAVFixture.fetch(provider, item.identifier).text }?.code == .failed)
                #expect(
                    await Self.error {
                        try await provider.modifyItem(
                            item.identifier, baseVersion: item.version, contents: WebDAVFixture.contents("Beta"),
                            operation: ChangeOperation(identifier: "op2")
                        ).item
                    } != nil)
                #expect(
                    await Self.error {
                        try await provider.createItem(
                            basedOn: ItemTemplate(parent: .rootContainer, filename: "b.txt"),
                            contents: WebDAVFixture.contents("Beta"), operation: ChangeOperation(identifier: "op3"))
                    } != nil)
                #expect(try other.requests() == "[]", "nothing is sent there")
            }
        }
    }

    @Test("a redirect within the server is followed with the credentials")
    func within() async throws {
        try await Self.with { _, proxy in
            try proxy.add(
                #"{"action": "status", "status": 307, "path": "/old", "times": 0, "headers": {"Location": "\#(proxy.url)"}}"#
            )
            let storage = Shell.temporary("storage")
            defer { try? FileManager.default.removeItem(atPath: storage) }
            let provider = try WebDAVFixture.make(proxy.url + "old/", storage)
            let reply = try await provider.server.client.perform(HTTPRequest("OPTIONS", proxy.url + "old/"))
            #expect(reply.url == proxy.url)
            provider.server.authenticate(with: .password(username: "anna", password: "hush-redirect-4f1a"))
            let again = try await provider.server.client.perform(HTTPRequest("OPTIONS", proxy.url + "old/"))
            #expect(again.url == proxy.url && again.status == 200)
        }
    }
}
