import DocentTestSupport
import FileProvider
import FoundationEssentials
import Synchronization
import Testing

@testable import WebDAV

/// Signing in with a typed form: tried with the server, and refused with the reason.
@Suite(.needs(.server, within: .seconds(180))) struct SignInFormTests {
    private static func with(_ options: [String], _ body: (String, String) async throws -> Void) async throws {
        let directory = Shell.temporary("form")
        let output = try TestServers.start(.apache, options, in: directory)
        defer {
            _ = try? Shell.run("'\(Repository.servers)/apache.sh' kill '\(directory)'; rm -rf '\(directory)'")
        }
        try await body(TestServers.field("url", of: output), output)
    }

    private static func signIn(
        _ form: String, _ values: [String: String], settings: [String: String] = [:]
    ) async throws -> (result: SignedIn, messages: [String]) {
        let storage = Shell.temporary("storage")
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let form = try #require(WebDAVProvider.signInForms.first { $0.identifier == form })
        let answers = try SignInAnswers(values, to: form)
        let provider = try WebDAVFixture.make(values["url"] ?? "", storage, settings.merging(answers.settings) { $1 })
        let messages = Mutex<[String]>([])
        let interaction = SignInInteraction { step in
            if case .message(let text) = step { messages.withLock { $0.append(text) } }
        }
        let result = try await provider.authenticate(answers, interaction: interaction)
        return (result, messages.withLock { $0 })
    }

    private static func error(_ body: () async throws -> some Sendable) async -> FileProviderError {
        do {
            _ = try await body()
            return FileProviderError(.failed, "nothing was thrown")
        } catch {
            return FileProviderError(wrapping: error)
        }
    }

    @Test(
        "a password is tried with the server, and the error for a wrong one suggests a remedy",
        arguments: ["basic", "digest"])
    func password(_ scheme: String) async throws {
        try await Self.with(["--user", "anna", "--password", "hush-form-2c9d", "--auth", scheme]) { url, _ in
            let values = ["url": url, "username": "anna", "password": "hush-form-2c9d"]
            let (result, messages) = try await Self.signIn("password", values)
            #expect(result.credential == Credential(username: "anna", secret: "hush-form-2c9d"))
            #expect(result.displayName == "anna" && messages.isEmpty)
            let wrong = await Self.error {
                try await Self.signIn("password", values.merging(["password": "hush-no-1"]) { $1 }).result
            }
            #expect(wrong.code == .notAuthenticated && wrong.message.contains("app password"))
            #expect(!wrong.message.contains("hush"))
            let token = await Self.error {
                try await Self.signIn("token", ["url": url, "token": "hush-token-1"]).result
            }
            #expect(token.code == .notAuthenticated && token.message.contains("token"))
        }
    }

    @Test("a server without authentication is reported: the password was not tried")
    func open() async throws {
        try await Self.with([]) { url, _ in
            let (_, messages) = try await Self.signIn(
                "password", ["url": url, "username": "anna", "password": "hush-any-1"])
            #expect(messages.count == 1 && messages[0].contains("everybody"))
        }
    }

    @Test("unknown host, no server, no WebDAV, no folder: each error states its cause")
    func places() async throws {
        func attempt(_ url: String) async -> FileProviderError {
            await Self.error {
                try await Self.signIn("password", ["url": url, "username": "a", "password": "hush-p-1"]).result
            }
        }
        let host = await attempt("http://nobody.invalid/")
        #expect(host.code == .serverUnreachable && host.message.contains("resolve"), "\(host.message)")
        let away = await attempt("http://127.0.0.1:1/")
        #expect(away.code == .serverUnreachable && away.message.contains("127.0.0.1:1"))
        #expect(await attempt("127.0.0.1").code == .invalidArgument)
        try await IdentityFixture.with { fixture in
            // A web server without WebDAV.
            let other = await attempt(fixture.identity)
            #expect(other.code == .invalidArgument && other.message.contains("no WebDAV"), "\(other.message)")
            let bearer = await attempt(fixture.url)
            #expect(bearer.code == .notAuthenticated && bearer.message.contains("accepts no passwords"))
            let state = try fixture.state()
            #expect(state.requests.allSatisfy { $0.path != "/introspect" })
        }
        try await Self.with([]) { url, _ in
            let missing = await attempt(url + "missing/")
            #expect(missing.code == .invalidArgument && missing.message.contains("404"))
        }
    }

    @Test("a server with an invalid certificate gets no password")
    func certificate() async throws {
        try await Self.with(["--tls", "--user", "anna", "--password", "hush-tls-77aa"]) { url, output in
            let values = ["url": url, "username": "anna", "password": "hush-tls-77aa"]
            let error = await Self.error { try await Self.signIn("password", values).result }
            #expect(error.code == .failed && error.message.contains("cannot be verified"))
            let authority = try String(contentsOf: URL(filePath: TestServers.field("ca", of: output)), encoding: .utf8)
            let (result, _) = try await Self.signIn(
                "password", values, settings: ["certificateAuthorityData": authority])
            #expect(result.displayName == "anna")
        }
    }

    @Test("a token entered by the user is tried, and not renewed")
    func token() async throws {
        try await IdentityFixture.with { fixture in
            _ = try await fixture.signIn()
            let access = try #require(try fixture.state().access.first)
            let (result, _) = try await Self.signIn("token", ["url": fixture.url, "token": access])
            #expect(result.credential == Credential(kind: .token, secret: access))
        }
    }

    @Test("without an issuer, and with a server that names none, the user is asked for one")
    func noIssuer() async throws {
        try await Self.with(["--user", "anna", "--password", "hush-form-2c9d"]) { url, _ in
            let error = await Self.error { try await Self.signIn("browser", ["url": url, "client": "docent"]).result }
            #expect(error.code == .invalidArgument && error.message.contains("issuer"))
        }
    }
}
