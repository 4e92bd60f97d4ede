import DocentTestSupport
import FileProvider
import FoundationEssentials
import WebDAV

/// An identity server and an Apache that accepts its tokens, for one test.
struct IdentityFixture: Sendable {
    static let user = "anna"
    static let password = "hush-anna-5b7e21"

    /// The state of the identity server.
    struct State: Decodable {
        struct Request: Decodable {
            var path: String
            var grant: String?
            var status: Int?
        }
        var access: [String]
        var refresh: [String]
        var requests: [Request]

        /// The number of renewals.
        var renewals: Int { requests.filter { $0.grant == "refresh_token" }.count }
        /// The number of all token requests.
        var tokenRequests: Int { requests.filter { $0.path == "/token" }.count }
    }

    /// The identity server's address, with a trailing slash.
    let identity: String
    /// The WebDAV server's address.
    let url: String
    let storage: String
    /// The WebDAV server's metadata (RFC 9728), a file.
    let resource: String
    /// The certificate authority of both, if they use TLS.
    let authority: String?

    static func with<Result>(
        _ options: [String] = [], _ body: (IdentityFixture) async throws -> Result
    ) async throws -> Result {
        let (identity, dav) = (Shell.temporary("identity"), Shell.temporary("oauth"))
        let storage = Shell.temporary("storage")
        defer {
            for (script, directory) in [("apache", dav), ("identity", identity)] {
                _ = try? Shell.run(
                    "'\(Repository.servers)/\(script).sh' kill '\(directory)'; rm -rf '\(directory)'")
            }
            try? FileManager.default.removeItem(atPath: storage)
        }
        let first = try TestServers.start(
            script: "identity", ["--user", user, "--password", password] + options, in: identity)
        let issuer = try TestServers.field("url", of: first)
        let second = try TestServers.start(.apache, ["--auth", "oauth", "--identity", issuer] + options, in: dav)
        var authority: String?
        if options.contains("--tls") {
            authority = try [first, second].map {
                try String(contentsOf: URL(filePath: TestServers.field("ca", of: $0)), encoding: .utf8)
            }.joined()
        }
        return try await body(
            IdentityFixture(
                identity: issuer, url: try TestServers.field("url", of: second), storage: storage,
                resource: dav + "/public/resource.json", authority: authority)
        )
    }

    /// Changes the identity server's behaviour; see Tests/Servers/README.md.
    func control(_ what: String, _ wish: String = "{}") throws {
        let reply = try Shell.curl("-k -d '\(wish)'", identity + "control/" + what)
        guard reply.status == 200 else { throw ServerProblem(description: reply.body) }
    }

    func state() throws -> State {
        let reply = try Shell.curl("-k -d '{}'", identity + "control/state")
        return try JSONDecoder().decode(State.self, from: Data(reply.body.utf8))
    }

    /// Acts as a browser whose user signs in, or refuses; returns the final redirect.
    func browse(_ url: String, action: String = "approve") throws -> String {
        try Shell.run(
            "curl -sk --noproxy '*' -o /dev/null -w '%{redirect_url}' -d 'username=\(Self.user)' -d 'password=\(Self.password)' "
                + "-d 'action=\(action)' '\(url)'"
        ).output
    }

    /// Acts as a user who types a code into a browser.
    func type(_ code: String, at url: String, action: String = "approve") throws {
        let reply = try Shell.curl(
            "-k -d 'user_code=\(code)' -d 'username=\(Self.user)' -d 'password=\(Self.password)' -d 'action=\(action)'",
            url)
        guard reply.status == 200 else { throw ServerProblem(description: reply.body) }
    }

    /// An instance of the domain.
    func provider(_ host: FileProviderHost = FileProviderHost(), _ settings: [String: String] = [:]) throws
        -> WebDAVProvider
    {
        var settings = settings.merging(["url": url]) { first, _ in first }
        settings["certificateAuthorityData"] = authority
        return try WebDAVProvider(
            domain: FileProviderDomain(
                identifier: "test", displayName: "Test", documentStorage: storage, settings: settings), host: host)
    }

    /// Signs in with a browser, as the host does.
    ///
    /// - Parameter person: the user's action at each step; the default is to agree.
    func signIn(
        _ answers: [String: String] = [:], redirect: String? = "http://127.0.0.1:9/",
        with provider: WebDAVProvider? = nil,
        _ person: (@Sendable (SignInStep, SignInInteraction) async throws -> Void)? = nil
    ) async throws -> SignedIn {
        let values = answers.merging(["url": url, "client": "docent"]) { first, _ in first }
        let form = WebDAVProvider.signInForms.first { $0.identifier == "browser" }
        guard let form else { throw ServerProblem(description: "no form for a browser") }
        let box = Person()
        let interaction = SignInInteraction(redirectURL: redirect) { step in
            guard let interaction = box.interaction else { return }
            if let person { return try await person(step, interaction) }
            switch step {
            case .open(let url): interaction.continue(with: try browse(url))
            case .code(let code, let url, _, _): try type(code, at: url)
            case .question(_, let number, _): try interaction.answer(number, with: nil)
            case .message: break
            }
        }
        box.interaction = interaction
        return try await (provider ?? self.provider()).authenticate(
            try SignInAnswers(values, to: form), interaction: interaction)
    }

    /// A signed-in provider, whose host saves renewed credentials.
    func signedIn(_ host: SavingHost) async throws -> WebDAVProvider {
        let provider = try provider(host.host)
        _ = try await provider.signIn(try await signIn().credential)
        return provider
    }
}
