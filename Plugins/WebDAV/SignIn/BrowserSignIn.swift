import FileProvider
import FoundationEssentials
import HTTPTransport

/// Gets tokens from an identity server while the user agrees in a browser.
struct BrowserSignIn: Sendable {
    let server: IdentityServer
    let identity: OAuthClient.Identity
    let scope: String?
    let client: OAuthClient
    let interaction: SignInInteraction

    /// Sends a browser on this machine to the identity server. Without a browser, shows a code.
    ///
    /// - Throws: `FileProviderError`: `notAuthenticated` when the user or the identity server refuses, or the time runs
    ///   out.
    func run() async throws -> OAuthTokens {
        if let redirect = interaction.redirectURL, let endpoint = server.authorizationEndpoint {
            return try await authorize(at: endpoint, redirect)
        }
        if let endpoint = server.deviceEndpoint { return try await showCode(of: endpoint) }
        throw FileProviderError(
            .notSupported,
            interaction.redirectURL == nil
                ? "The identity server offers no device codes, so a browser on this machine is needed."
                : "The identity server \(server.issuer) has neither a sign-in page nor device codes.")
    }

    // RFC 6749 4.1 with PKCE (RFC 7636) and a redirect to this machine (RFC 8252).
    private func authorize(at endpoint: String, _ redirect: String) async throws -> OAuthTokens {
        let key = ProofKey()
        guard let challenge = key.challenge else {
            throw FileProviderError(.failed, "OpenSSL cannot compute SHA-256.")
        }
        let state = ProofKey.random()
        var query = [
            ("response_type", "code"), ("client_id", identity.identifier), ("redirect_uri", redirect), ("state", state),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        if let scope { query.append(("scope", scope)) }
        try await interaction.open(OAuthAddress.adding(query, to: endpoint))
        let answer = try OAuthAddress.values(of: await interaction.redirected()) ?? [:]
        guard answer["state"] == state else {
            throw FileProviderError(
                .notAuthenticated,
                "The browser came back from a different sign-in. Nothing was kept; sign in again.")
        }
        guard answer["iss"].map({ $0 == server.issuer }) ?? !server.namesItself else {
            throw FileProviderError(
                .notAuthenticated,
                "The browser came back from a different identity server than \(server.issuer). Nothing was kept.")
        }
        if let error = answer["error"] {
            let reason = OAuthReply.plain(answer["error_description"]) ?? OAuthReply.plain(error) ?? ""
            throw FileProviderError(.notAuthenticated, "The sign-in was refused in the browser (\(reason)).")
        }
        guard let code = answer["code"], !code.isEmpty else {
            throw FileProviderError(.notAuthenticated, "The browser came back without a code. Sign in again.")
        }
        return try OAuthTokens(
            await client.post(
                [
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                    ("code_verifier", key.verifier),
                ], to: server.tokenEndpoint, as: identity))
    }

    private struct DeviceAnswer: Decodable {
        var device_code: String
        var user_code: String
        var verification_uri: String?
        var verification_url: String?
        var verification_uri_complete: String?
        var expires_in: Double
        var interval: Double?
    }

    // RFC 8628.
    private func showCode(of endpoint: String) async throws -> OAuthTokens {
        let reply = try await client.post(scope.map { [("scope", $0)] } ?? [], to: endpoint, as: identity)
        guard reply.status == 200 else { throw reply.error(cannot: "give a code") }
        let answer = try reply.decoded(DeviceAnswer.self, "code")
        let place = try OAuthAddress.check(
            answer.verification_uri ?? answer.verification_url ?? "", "address for the code")
        let complete = try answer.verification_uri_complete.map { try OAuthAddress.check($0, "address for the code") }
        guard let code = OAuthReply.plain(answer.user_code), answer.expires_in > 0 else {
            throw FileProviderError(
                .serverUnreachable, "The identity server returned an invalid code. Try again.")
        }
        let expires = Date.now.addingTimeInterval(min(answer.expires_in, 1_800))
        try await interaction.show(code: code, at: place, completeURL: complete, expires: expires)
        return try await poll(answer.device_code, interval: min(max(answer.interval ?? 5, 1), 60), until: expires)
    }

    private func poll(_ code: String, interval: Double, until expires: Date) async throws -> OAuthTokens {
        var interval = interval
        while Date.now < expires {
            try await Task.sleep(for: .seconds(interval))
            let reply: OAuthReply
            do {
                reply = try await client.post(
                    [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)],
                    to: server.tokenEndpoint, as: identity)
            } catch let error as FileProviderError where error.code == .serverUnreachable {
                // The answer said nothing about the code, so the next request waits longer.
                interval = min(interval * 2, 60)
                continue
            }
            switch reply.refusal?.error {
            case "authorization_pending": continue
            case "slow_down": interval += 5
            default:
                if reply.status >= 500 {
                    interval = min(interval * 2, 60)
                    continue
                }
                return try OAuthTokens(reply)
            }
        }
        throw FileProviderError(.notAuthenticated, "The code was not entered in time. Sign in again.")
    }
}
