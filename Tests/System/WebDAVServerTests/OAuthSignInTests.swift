import DocentTestSupport
import FileProvider
import FoundationEssentials
import Synchronization
import Testing

@testable import WebDAV

/// Signing in with a browser, with a real identity server and a real WebDAV server that accepts its tokens.
@Suite(.needs(.server, within: .seconds(180))) struct OAuthSignInTests {
    private static func error(_ body: () async throws -> some Sendable) async -> FileProviderError {
        do {
            _ = try await body()
            return FileProviderError(.failed, "nothing was thrown")
        } catch {
            return FileProviderError(wrapping: error)
        }
    }

    @Test(
        "sign-in works with a browser on this machine and PKCE; the WebDAV server names the identity server",
        arguments: [[], ["--tls"]])
    func loopback(_ options: [String]) async throws {
        try await IdentityFixture.with(options) { fixture in
            let result = try await fixture.signIn()
            #expect(result.credential.kind == .oauth)
            #expect(
                result.settings?["issuer"] == String(fixture.identity.dropLast())
                    && result.settings?["client"] == "docent")
            let kept = try OAuthCredential(secret: result.credential.secret ?? "")
            let state = try fixture.state()
            #expect(state.access == [kept.access] && state.refresh == [kept.refresh])
            let provider = try fixture.provider()
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            _ = try await provider.signIn(result.credential)
            #expect(try await provider.item(for: .rootContainer).isFolder)
        }
    }

    @Test("sign-in works with a code and a browser anywhere; the identity server is polled no faster than it allows")
    func device() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control(
                "fault", #"{"path": "/token", "kind": "answer", "status": 400, "body": "{\"error\": \"slow_down\"}"}"#)
            let shown = Mutex<SignInStep?>(nil)
            let start = ContinuousClock.now
            let result = try await fixture.signIn(redirect: nil) { step, _ in
                guard case .code(let code, let url, let complete, let expires) = step else { return }
                shown.withLock { $0 = step }
                #expect(complete == "\(url)?user_code=\(code)")
                #expect((expires?.timeIntervalSinceNow ?? 0) > 500)
                try fixture.type(code, at: url)
            }
            // One second, then one and five more.
            #expect(ContinuousClock.now - start > .seconds(6.9))
            #expect(shown.withLock { $0 } != nil)
            let provider = try fixture.provider()
            _ = try await provider.signIn(result.credential)
            #expect(try await provider.item(for: .rootContainer).isFolder)
        }
    }

    @Test("a pending sign-in and an identity server that is briefly down are polled again")
    func devicePending() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control("fault", #"{"path": "/token", "kind": "cut"}"#)
            try fixture.control("fault", #"{"path": "/token", "kind": "answer", "status": 503}"#)
            let typing = Mutex<Task<Void, any Error>?>(nil)
            _ = try await fixture.signIn(redirect: nil) { step, _ in
                guard case .code(let code, let url, _, _) = step else { return }
                let task = Task {
                    let deadline = ContinuousClock.now + .seconds(60)
                    while try fixture.state().tokenRequests < 3, ContinuousClock.now < deadline {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    try fixture.type(code, at: url)
                }
                typing.withLock { $0 = task }
            }
            try await typing.withLock { $0 }?.value
            #expect(try fixture.state().tokenRequests >= 4)
        }
    }

    @Test(
        "a refused or late sign-in fails with the reason",
        arguments: ["browser", "code", "late"])
    func refused(_ how: String) async throws {
        try await IdentityFixture.with { fixture in
            if how == "late" { try fixture.control("settings", #"{"deviceExpires": 2}"#) }
            let error = await Self.error {
                try await fixture.signIn(redirect: how == "browser" ? "http://127.0.0.1:9/" : nil) {
                    step, interaction in
                    switch step {
                    case .open(let url): interaction.continue(with: try fixture.browse(url, action: "deny"))
                    case .code(let code, let url, _, _) where how == "code":
                        try fixture.type(code, at: url, action: "deny")
                    default: break
                    }
                }
            }
            #expect(error.code == .notAuthenticated)
            let words = ["browser": "Anna said no", "code": "refused", "late": "in time"]
            #expect(error.message.contains(words[how] ?? "?"), "\(error.message)")
            #expect(try fixture.state().refresh == [])
        }
    }

    @Test(
        "a redirect to this machine is accepted only with the right state, name and code",
        arguments: [
            { (url: String) in url.replacing("state=", with: "state=x") },
            { url in url.replacing("iss=http", with: "iss=https") },
            { url in url.replacing("&iss=", with: "&uss=") }, { url in url.replacing("code=", with: "cod=") },
            { url in url + "&state=twice" }, { _ in "http://127.0.0.1:9/" },
            { _ in "http://127.0.0.1:9/?error=access_denied" },
        ] as [@Sendable (String) -> String])
    func wrongAnswers(_ change: @escaping @Sendable (String) -> String) async throws {
        try await IdentityFixture.with { fixture in
            let error = await Self.error {
                try await fixture.signIn { step, interaction in
                    if case .open(let url) = step { interaction.continue(with: change(try fixture.browse(url))) }
                }
            }
            let state = try fixture.state()
            #expect(error.code == .notAuthenticated && state.tokenRequests == 0)
        }
    }

    @Test(
        "an identity server with invalid answers gets no credential, and the reason is reported",
        arguments: [
            (
                "/.well-known/oauth-authorization-server", #""kind": "huge""#, FileProviderError.Code.serverUnreachable,
                "longer than"
            ),
            (
                "/.well-known/oauth-authorization-server", #""kind": "answer", "status": 200, "body": "<html>""#,
                .serverUnreachable, "not valid"
            ),
            (
                "/.well-known/oauth-authorization-server",
                #""kind": "answer", "status": 200, "body": "{\"issuer\": 7}""#, .serverUnreachable, "not valid"
            ),
            (
                "/.well-known/oauth-authorization-server",
                #""kind": "answer", "status": 302, "headers": {"Location": "http://evil.example/"}"#, .failed,
                "http://evil.example"
            ),
            ("/.well-known/oauth-authorization-server", #""kind": "answer", "status": 500"#, .serverUnreachable, "500"),
            ("/.well-known/oauth-authorization-server", #""kind": "cut""#, .serverUnreachable, "cannot be reached"),
            ("/token", #""kind": "huge""#, .serverUnreachable, "longer than"),
            ("/token", #""kind": "answer", "status": 200, "body": "[]""#, .serverUnreachable, "not valid"),
            (
                "/token",
                #""kind": "answer", "status": 200, "body": "{\"access_token\": \"a\\nb\", \"token_type\": \"bearer\"}""#,
                .serverUnreachable, "invalid token"
            ),
            (
                "/token",
                #""kind": "answer", "status": 200, "body": "{\"access_token\": \"a\", \"token_type\": \"mac\"}""#,
                .notSupported, "kind"
            ),
            (
                "/token", #""kind": "answer", "status": 307, "headers": {"Location": "http://evil.example/"}"#, .failed,
                "http://evil.example"
            ),
            (
                "/token", #""kind": "answer", "status": 400, "body": "{\"error\": \"invalid_grant\"}""#,
                .notAuthenticated, "revoked"
            ),
            (
                "/token", #""kind": "answer", "status": 401, "body": "{\"error\": \"invalid_client\"}""#,
                .notAuthenticated, "client"
            ),
        ] as [(String, String, FileProviderError.Code, String)])
    func nonsense(path: String, fault: String, code: FileProviderError.Code, words: String) async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control("fault", #"{"path": "\#(path)", "count": 9, \#(fault)}"#)
            let error = await Self.error { try await fixture.signIn() }
            #expect(error.code == code, "\(error.message)")
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test(
        "metadata that names another issuer, or an address without https, is not trusted",
        arguments: [
            ("issuer", #""https://other.example""#, "https://other.example"),
            ("token_endpoint", #""http://id.example/t""#, "https"),
            ("authorization_endpoint", #""http://id.example/a""#, "https"),
            ("authorization_endpoint", #""javascript:1""#, "http"),
            ("code_challenge_methods_supported", #"["plain"]"#, "PKCE"),
            ("token_endpoint", "null", "no token endpoint"),
        ])
    func wrongDescription(key: String, value: String, words: String) async throws {
        try await IdentityFixture.with { fixture in
            let issuer = fixture.identity.dropLast()
            var body: [String: String] = [
                "issuer": "\"\(issuer)\"", "token_endpoint": "\"\(issuer)/token\"",
                "authorization_endpoint": "\"\(issuer)/authorize\"",
            ]
            body[key] = value
            let text = "{" + body.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
            let quoted = text.replacing("\"", with: "\\\"")
            try fixture.control(
                "fault",
                #"{"path": "/.well-known/oauth-authorization-server", "kind": "answer", "status": 200, "body": "\#(quoted)"}"#
            )
            let error = await Self.error { try await fixture.signIn() }
            #expect([.failed, .invalidArgument, .notSupported].contains(error.code))
            #expect(error.message.contains(words), "\(error.message)")
            #expect(try fixture.state().requests.allSatisfy { !["/token", "/authorize"].contains($0.path) })
        }
    }

    @Test("an issuer without metadata, or an unreachable one, is reported with its address")
    func wrongIssuer() async throws {
        try await IdentityFixture.with { fixture in
            let nowhere = await Self.error { try await fixture.signIn(["issuer": fixture.identity + "realm"]) }
            #expect(nowhere.code == .invalidArgument && nowhere.message.contains("/realm"))
            let away = await Self.error { try await fixture.signIn(["issuer": "http://127.0.0.1:1"]) }
            #expect(away.code == .serverUnreachable)
            let plain = await Self.error { try await fixture.signIn(["issuer": "http://id.example"]) }
            #expect(plain.code == .invalidArgument && plain.message.contains("https"))
        }
    }

    @Test("OpenID metadata is used if there is no other")
    func openID() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control(
                "fault", #"{"path": "/.well-known/oauth-authorization-server", "kind": "answer", "status": 404}"#)
            #expect(try await fixture.signIn().credential.kind == .oauth)
        }
    }

    @Test(
        "a server names identity servers only for itself, and in a valid form",
        arguments: [
            (
                #"{"resource": "https://other.example/", "authorization_servers": ["ISSUER"]}"#,
                FileProviderError.Code.failed, "something other than"
            ),
            (#"{"resource": "SELFother/", "authorization_servers": ["ISSUER"]}"#, .failed, "something other than"),
            (#"{"resource": "SELF"}"#, .invalidArgument, "issuer"),
            (#"{"resource": "SELF", "authorization_servers": []}"#, .invalidArgument, "issuer"),
            ("<html>", .serverUnreachable, "not valid"),
            (#"{"resource": "SELF", "authorization_servers": ["http://id.example"]}"#, .invalidArgument, "https"),
        ])
    func wrongResource(text: String, code: FileProviderError.Code, words: String) async throws {
        try await IdentityFixture.with { fixture in
            let told = text.replacing("SELF", with: fixture.url).replacing("ISSUER", with: fixture.identity)
            try Data(told.utf8).write(to: URL(filePath: fixture.resource))
            let error = await Self.error { try await fixture.signIn() }
            #expect(error.code == code && error.message.contains(words), "\(error.message)")
            let state = try fixture.state()
            #expect(state.requests.allSatisfy { $0.path != "/authorize" && $0.path != "/token" })
        }
    }

    @Test("a challenge that refers to another server's metadata is not trusted")
    func foreignResource() async throws {
        try await IdentityFixture.with { fixture in
            let challenge = "Bearer resource_metadata=\"\(fixture.identity).well-known/oauth-protected-resource\""
            let client = OAuthClient(certificateAuthority: nil)
            let error = await Self.error {
                try await IdentityServerName.find(challenge: challenge, of: fixture.url, client)
            }
            #expect(error.code == .failed && error.message.contains("refers to another server"))
            let own = try await IdentityServerName.find(challenge: "Basic realm=\"x\"", of: fixture.url, client)
            #expect(own == String(fixture.identity.dropLast()))
        }
    }

    @Test("the receiver of the credentials is shown before the browser opens")
    func tellsWho() async throws {
        try await IdentityFixture.with { fixture in
            let steps = Mutex<[SignInStep]>([])
            _ = await Self.error {
                try await fixture.signIn { step, interaction in
                    steps.withLock { $0.append(step) }
                    if case .open = step { interaction.continue(with: "http://127.0.0.1:9/") }
                }
            }
            guard case .message(let text) = try #require(steps.withLock { $0.first }) else {
                throw ServerProblem(description: "the first step is not a message")
            }
            #expect(text.contains(fixture.identity.dropLast()) && text.contains(fixture.url))
            #expect(steps.withLock { $0.count } == 2)
        }
    }

    @Test("tokens that the WebDAV server does not accept are not saved")
    func otherServer() async throws {
        try await IdentityFixture.with { fixture in
            try await IdentityFixture.with { other in
                let error = await Self.error {
                    try await fixture.signIn(["issuer": other.identity]) { step, interaction in
                        if case .open(let url) = step { interaction.continue(with: try other.browse(url)) }
                    }
                }
                #expect(error.code == .notAuthenticated && error.message.contains("does not accept its tokens"))
            }
        }
    }

    @Test("a client secret is sent, and a wrong one is refused")
    func clientSecret() async throws {
        try await IdentityFixture.with { fixture in
            let right = ["client": "docent-with-secret", "clientSecret": "hush-client-5d1c"]
            let result = try await fixture.signIn(right)
            #expect(result.settings?["clientSecret"] == nil)
            let wrong = await Self.error {
                try await fixture.signIn(right.merging(["clientSecret": "hush-wrong-1"]) { $1 })
            }
            #expect(wrong.code == .notAuthenticated && !wrong.message.contains("hush"))
            let none = await Self.error { try await fixture.signIn(["client": "docent-with-secret"]) }
            #expect(none.code == .notAuthenticated)
        }
    }

    @Test(
        "secrets are sent only over https, or to this machine",
        arguments: [
            ("https://id.example/x?y", true), ("http://127.0.0.1:80/", true), ("http://localhost/", true),
            ("http://[::1]:8/", true),
            ("http://id.example/", false), ("http://127.0.0.1.evil.example/", false),
            ("http://localhost.evil.example/", false),
            ("https://user@id.example/", false), ("ftp://id.example/", false), ("https://id.example/#f", false),
            ("https://id.example/a b", false), ("http://127.evil.example.1/", false), ("", false),
        ])
    func addresses(url: String, isFine: Bool) {
        #expect(((try? OAuthAddress.check(url, "address")) != nil) == isFine)
    }

    @Test("the metadata addresses of an identity server follow from its path")
    func places() {
        #expect(
            OAuthAddress.descriptions(of: "https://id.example/realms/a/") == [
                "https://id.example/.well-known/oauth-authorization-server/realms/a",
                "https://id.example/realms/a/.well-known/openid-configuration",
                "https://id.example/.well-known/openid-configuration/realms/a",
            ])
        #expect(OAuthAddress.descriptions(of: "https://id.example").count == 2)
        #expect(OAuthAddress.values(of: "http://x/?a=1+2&b=%26&c") == ["a": "1 2", "b": "&", "c": ""])
        #expect(
            IdentityServerName.parameter("resource_metadata", of: "Bearer a=\"b\", Resource_Metadata=\"https://x/\", c")
                == "https://x/")
    }
}
