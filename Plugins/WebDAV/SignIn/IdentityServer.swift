import FileProvider
import HTTPTransport

/// An identity server's description of itself (RFC 8414, OpenID Connect Discovery), checked.
struct IdentityServer: Sendable, Equatable {
    let issuer: String
    let tokenEndpoint: String
    let authorizationEndpoint: String?
    let deviceEndpoint: String?
    /// Whether the server identifies itself when it sends the browser back (RFC 9207).
    let namesItself: Bool
    /// Whether a client secret is sent in the body, not in the head.
    let wantsSecretPosted: Bool

    private struct Description: Decodable {
        var issuer: String
        var token_endpoint: String?
        var authorization_endpoint: String?
        var device_authorization_endpoint: String?
        var code_challenge_methods_supported: [String]?
        var authorization_response_iss_parameter_supported: Bool?
        var token_endpoint_auth_methods_supported: [String]?
    }

    /// Gets the description of an identity server.
    ///
    /// - Throws: `FileProviderError`: `serverUnreachable` when it does not answer, otherwise what is wrong with its
    ///   answer.
    init(issuer: String, _ client: OAuthClient) async throws {
        let issuer = try OAuthAddress.check(issuer, "address of the identity server (issuer)")
        var last: OAuthReply?
        for url in OAuthAddress.descriptions(of: issuer) {
            let reply = try await client.get(url)
            if reply.status == 200 {
                try self.init(reply.decoded(Description.self, "description"), issuer: issuer)
                return
            }
            guard [401, 403, 404, 405, 410].contains(reply.status) else { throw reply.error(cannot: "describe itself") }
            last = reply
        }
        throw FileProviderError(
            .invalidArgument,
            "There is no identity server at \(issuer): it does not describe itself (RFC 8414, OpenID). Check the address (issuer).",
            underlying: last.map { [$0.detail] } ?? [])
    }

    private init(_ description: Description, issuer: String) throws {
        // With another issuer, a server could impersonate this one (RFC 8414, 3.3).
        guard OAuthAddress.isSame(description.issuer, issuer) else {
            throw FileProviderError(
                .failed,
                "The identity server at \(issuer) says that it is \(OAuthReply.plain(description.issuer) ?? "nobody"). Nothing was "
                    + "sent to it; check the address (issuer).")
        }
        guard let token = description.token_endpoint else {
            throw FileProviderError(.failed, "The identity server \(issuer) names no token endpoint.")
        }
        if let methods = description.code_challenge_methods_supported, !methods.contains("S256") {
            throw FileProviderError(
                .notSupported,
                "The identity server \(issuer) does not support PKCE with S256, which Docent requires.")
        }
        self.issuer = description.issuer
        tokenEndpoint = try OAuthAddress.check(token, "token endpoint")
        authorizationEndpoint = try description.authorization_endpoint.map {
            try OAuthAddress.check($0, "authorization endpoint")
        }
        deviceEndpoint = try description.device_authorization_endpoint.map {
            try OAuthAddress.check($0, "device authorization endpoint")
        }
        namesItself = description.authorization_response_iss_parameter_supported ?? false
        let methods = description.token_endpoint_auth_methods_supported ?? []
        wantsSecretPosted = methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
    }
}
