import FileProvider
import FoundationEssentials
import HTTPTransport

/// What a domain keeps after a sign-in in a browser: the secret of a credential of the kind `oauth`, as JSON.
struct OAuthCredential: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    var version = 1
    var access: String
    var refresh: String?
    /// When the access token was issued, in seconds since 1970, and how long it is valid, in seconds.
    var issued: Double
    var lifetime: Double?
    var tokenEndpoint: String
    var client: String
    var clientSecret: String?
    var isSecretPosted: Bool?

    init(_ tokens: OAuthTokens, from server: IdentityServer, for client: OAuthClient.Identity, now: Double) {
        access = tokens.access
        refresh = tokens.refresh
        issued = now
        lifetime = tokens.lifetime
        tokenEndpoint = server.tokenEndpoint
        self.client = client.identifier
        clientSecret = client.secret
        isSecretPosted = client.secret == nil ? nil : client.isPosted
    }

    /// Reads a stored credential.
    ///
    /// - Throws: `FileProviderError` with `notAuthenticated`: the user has to sign in again.
    init(secret: String) throws {
        guard let kept = try? JSONDecoder().decode(OAuthCredential.self, from: Data(secret.utf8)), kept.version == 1,
            let endpoint = try? OAuthAddress.check(kept.tokenEndpoint, "token endpoint"), endpoint == kept.tokenEndpoint
        else {
            throw FileProviderError(.notAuthenticated, "The stored sign-in cannot be used. Sign in again.")
        }
        self = kept
    }

    /// The text to store.
    func secret() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The credential in the form that the host keeps.
    func credential() throws -> Credential { Credential(kind: .oauth, secret: try secret()) }

    /// The client's identity in requests for new tokens.
    var identity: OAuthClient.Identity {
        OAuthClient.Identity(identifier: client, secret: clientSecret, isPosted: isSecretPosted ?? false)
    }

    /// When the access token expires; nil if unknown.
    var expires: Double? { lifetime.map { issued + $0 } }

    /// When to request a new token: a minute before the old one expires, but never in the first half of its life.
    var renewal: Double? { lifetime.map { issued + max($0 / 2, $0 - 60) } }

    /// The credential with new tokens. A server that does not rotate refresh tokens sends none; the old one is kept.
    func replacing(with tokens: OAuthTokens, now: Double) -> OAuthCredential {
        var result = self
        result.access = tokens.access
        result.refresh = tokens.refresh ?? refresh
        result.issued = now
        result.lifetime = tokens.lifetime
        return result
    }

    /// Contains no token.
    var description: String { "tokens of \(client)" }
    /// Contains no token.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
