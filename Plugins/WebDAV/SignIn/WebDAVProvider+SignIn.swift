package import FileProvider
import FoundationEssentials

extension WebDAVProvider {
    /// With a password, a token, or in a browser.
    package static var signInForms: [SignInForm] { WebDAVForms.all }

    /// Tries the answers with the server, which is asked without them first: whether there is one, and what it wants.
    package func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        let challenge = try await challenge()
        if challenge == nil {
            try await interaction.message(
                "The server lets everybody in: it does not tell whether the answers are right.")
        }
        let url = server.address.url(of: .root)
        let isProtected = url.hasPrefix("https://") || OAuthAddress.isLoopback(url)
        switch answers.form.identifier {
        case WebDAVForms.browser.identifier:
            guard isProtected else {
                throw FileProviderError(
                    .invalidArgument,
                    "The address is not protected by https; tokens of an identity server are not sent there.")
            }
            return try await browse(answers, challenge, interaction)
        case WebDAVForms.token.identifier:
            return try await check(
                Credential(kind: .token, secret: answers["token"]), challenge, isProtected, interaction)
        default:
            if let challenge, !["basic", "digest"].contains(where: challenge.lowercased().contains) {
                throw FileProviderError(
                    .notAuthenticated,
                    "The server takes no passwords; sign in with a token or in a browser. Nothing was sent.")
            }
            let credential = Credential(username: answers["username"], secret: answers["password"])
            return try await check(credential, challenge, isProtected, interaction)
        }
    }

    /// What the server says to one who is nobody; nil if it lets everybody in.
    private func challenge() async throws -> String? {
        server.authenticate(with: .none)
        var request = HTTPRequest("PROPFIND", server.address.url(of: .root))
        request.headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.properties)
        let reply = try await server.client.perform(request)
        switch reply.status {
        case 207: return nil
        case 401: return reply["www-authenticate"] ?? ""
        case 403, 407, 408, 423, 425, 429,
            500...599 where reply.status != 501:
            throw server.error(reply, cannot: "look at the folder")
        default:
            throw FileProviderError(
                .invalidArgument,
                "There is no WebDAV folder at \(server.address.url(of: .root)): it answers \(reply.status). Check the address.",
                underlying: [
                    ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")
                ])
        }
    }

    private func check(
        _ credential: Credential, _ challenge: String?, _ isProtected: Bool, _ interaction: SignInInteraction
    ) async throws -> SignedIn {
        if !isProtected {
            try await interaction.message(
                "The address is not protected by https: everybody on the way can read the secret.")
        }
        do {
            let name = try await signIn(credential)
            return SignedIn(credential: credential, displayName: name)
        } catch let error as FileProviderError where [.noSuchItem, .notSupported].contains(error.code) {
            throw FileProviderError(
                .invalidArgument, "There is no WebDAV folder at this address: \(error.message)", causedBy: error)
        } catch let error as FileProviderError where error.code == .notAuthenticated && credential.kind == .password {
            throw FileProviderError(
                .notAuthenticated,
                "The server does not accept the user name and the password. Where it has two-factor sign-in, it wants an app password.",
                underlying: error.underlying)
        }
    }

    private func browse(
        _ answers: SignInAnswers, _ challenge: String?, _ interaction: SignInInteraction
    ) async throws -> SignedIn {
        let client = OAuthClient(certificateAuthority: certificateAuthority)
        let url = server.address.url(of: .root)
        var issuer = answers["issuer"]
        if issuer == nil { issuer = try await IdentityServerName.find(challenge: challenge, of: url, client) }
        guard let issuer else {
            throw FileProviderError(
                .invalidArgument,
                "The server does not say which identity server it trusts. Give that one's address (issuer).")
        }
        let identityServer = try await IdentityServer(issuer: issuer, client)
        // A server may name one that is not its own: a person sees who gets what.
        try await interaction.message("You sign in at \(issuer). Its tokens go to \(url).")
        let identity = OAuthClient.Identity(
            identifier: answers["client"] ?? "", secret: answers["clientSecret"],
            isPosted: identityServer.wantsSecretPosted)
        let tokens = try await BrowserSignIn(
            server: identityServer, identity: identity, scope: answers["scope"], client: client,
            interaction: interaction
        ).run()
        let kept = OAuthCredential(tokens, from: identityServer, for: identity, now: OAuthSession.clock())
        // Nothing is saved yet: what is renewed here is what the host gets.
        let session = OAuthSession(kept, client) { _ in }
        server.authenticate(with: .session(session))
        do {
            _ = try await server.existing(.root)
        } catch let error as FileProviderError where error.code == .notAuthenticated {
            throw FileProviderError(
                .notAuthenticated,
                "You are signed in to \(identityServer.issuer), but the WebDAV server does not take its tokens. Check the client identifier and the scope.",
                underlying: error.underlying)
        }
        var settings = answers.settings
        settings["issuer"] = issuer
        return SignedIn(credential: try session.credential.credential(), displayName: tokens.user, settings: settings)
    }
}
