package import FileProvider
import FoundationEssentials
import HTTPTransport

extension WebDAVProvider {
    /// Sign-in with a password, with a token, or in a browser.
    package static var signInForms: [SignInForm] { WebDAVForms.all }

    /// Tries the answers with the server. A first request without a secret finds out whether there is a server, and
    /// what it requires.
    package func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        let given = server.address
        let challenge = try await challenge()
        if server.address.origin != given.origin {
            try await interaction.message(
                "The server has moved permanently from \(given.origin) to \(server.address.url(of: .root)). That "
                    + "address is kept.")
        }
        if challenge == nil {
            try await interaction.message(
                "The server lets everybody in, so it is not known whether the answers are right.")
        }
        let isProtected = server.address.isProtected
        if !isProtected, answers.form.identifier != WebDAVForms.browser.identifier {
            guard answers[Self.consentSetting] == Self.consent else {
                throw Self.unprotected(server.address, .invalidArgument)
            }
            try await interaction.message(
                "The address is not protected by https: anyone along the way can read the secret.")
        }
        var settings = answers.settings
        if server.address.origin != given.origin { settings["url"] = server.address.url(of: .root) }
        // Consent is kept only for an address that needs it. The host removes empty settings.
        if isProtected { settings[Self.consentSetting] = "" }
        switch answers.form.identifier {
        case WebDAVForms.browser.identifier:
            guard isProtected else {
                throw FileProviderError(
                    .invalidArgument,
                    "The address is not protected by https; tokens of an identity server are not sent there.")
            }
            return try await browse(answers, settings, challenge, interaction)
        case WebDAVForms.token.identifier:
            return try await check(Credential(kind: .token, secret: answers["token"]), settings)
        default:
            if let challenge, !["basic", "digest"].contains(where: challenge.lowercased().contains) {
                throw FileProviderError(
                    .notAuthenticated,
                    "The server accepts no passwords; sign in with a token or in a browser. Nothing was sent.")
            }
            let credential = Credential(username: answers["username"], secret: answers["password"])
            return try await check(credential, settings)
        }
    }

    /// The server's challenge to an anonymous request; nil if it lets everyone in. If the server has moved permanently
    /// to https, the request is repeated there, and the new address is kept.
    private func challenge() async throws -> String? {
        server.authenticate(with: .none)
        let reply = try await look()
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

    // This request may be redirected to the server's new address, so it contains no secret.
    private func look() async throws -> HTTPReply {
        var request = HTTPRequest("PROPFIND", server.address.url(of: .root))
        request.headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.properties)
        request.followsRedirects = false
        for _ in 0...5 {
            let reply = try await server.client.perform(request)
            guard reply.isRedirect, let target = reply.redirect else { return reply }
            if Redirect.isProtecting(from: request.url, to: target) {
                let address = try ServerAddress(url: target)
                guard reply.isMovedForGood else {
                    throw FileProviderError(
                        .invalidArgument,
                        "The server redirects to \(address.url(of: .root)) for now, which is not kept. Nothing "
                            + "secret was sent. If that is its address, give it: --url \(address.url(of: .root))")
                }
                server.move(to: address)
            } else if !Redirect.isAllowed(from: request.url, to: target, isAnonymous: false) {
                throw HTTPFailure.error(redirect: reply)
            }
            request.url = target
        }
        throw FileProviderError(.failed, "The server redirects in a circle. Check the address of the domain.")
    }

    private func check(_ credential: Credential, _ settings: [String: String]) async throws -> SignedIn {
        do {
            let name = try await enter(credential)
            return SignedIn(credential: credential, displayName: name, settings: settings)
        } catch let error as FileProviderError
            where [.noSuchItem, .notSupported].contains(error.code) || Self.isOtherThanFolder(error)
        {
            throw FileProviderError(
                .invalidArgument, "There is no WebDAV folder at this address: \(error.message)", causedBy: error)
        } catch let error as FileProviderError where error.code == .notAuthenticated && credential.kind == .password {
            throw FileProviderError(
                .notAuthenticated,
                "The server does not accept the user name and the password. If it has two-factor sign-in, it needs "
                    + "an app password.",
                underlying: error.underlying)
        }
    }

    // Statuses with which servers answer a document's URL with a slash at the end.
    private static func isOtherThanFolder(_ error: FileProviderError) -> Bool {
        error.underlying.contains { $0.domain == "HTTP" && [400, 405, 409, 410].contains($0.code) }
    }

    private func browse(
        _ answers: SignInAnswers, _ settings: [String: String], _ challenge: String?, _ interaction: SignInInteraction
    ) async throws -> SignedIn {
        let client = OAuthClient(certificateAuthority: certificateAuthority)
        let url = server.address.url(of: .root)
        var issuer = answers["issuer"]
        if issuer == nil { issuer = try await IdentityServerName.find(challenge: challenge, of: url, client) }
        guard let issuer else {
            throw FileProviderError(
                .invalidArgument,
                "The server does not say which identity server it trusts. Give the identity server's address (issuer).")
        }
        let identityServer = try await IdentityServer(issuer: issuer, client)
        // A server may name an identity server that is not its own, so the user sees which server gets the tokens.
        try await interaction.message("You sign in at \(issuer). Its tokens are sent to \(url).")
        let identity = OAuthClient.Identity(
            identifier: answers["client"] ?? "", secret: answers["clientSecret"],
            isPosted: identityServer.wantsSecretPosted)
        let tokens = try await BrowserSignIn(
            server: identityServer, identity: identity, scope: answers["scope"], client: client,
            interaction: interaction
        ).run()
        let kept = OAuthCredential(tokens, from: identityServer, for: identity, now: OAuthSession.clock())
        // Nothing is saved yet. The host gets the credential with any renewed tokens.
        let session = OAuthSession(kept, client) { _ in }
        server.authenticate(with: .session(session))
        do {
            _ = try await server.existing(.root)
        } catch let error as FileProviderError where error.code == .notAuthenticated {
            throw FileProviderError(
                .notAuthenticated,
                "You are signed in to \(identityServer.issuer), but the WebDAV server does not accept its tokens. "
                    + "Check the client identifier and the scope.",
                underlying: error.underlying)
        }
        var settings = settings
        settings["issuer"] = issuer
        return SignedIn(credential: try session.credential.credential(), displayName: tokens.user, settings: settings)
    }
}
