import FileProvider
import FoundationEssentials
import HTTPTransport

/// What a domain that was signed in with a browser keeps: the secret of a credential of the kind `oauth`, as JSON.
struct OAuthCredential: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    var version = 1
    var access: String
    var refresh: String?
    /// When the access token came, and how long it is good, in seconds (since 1970).
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

    /// Reads what was kept.
    ///
    /// - Throws: `FileProviderError` with `notAuthenticated`: it has to be made anew.
    init(secret: String) throws {
        guard let kept = try? JSONDecoder().decode(OAuthCredential.self, from: Data(secret.utf8)), kept.version == 1,
            let endpoint = try? OAuthAddress.check(kept.tokenEndpoint, "token endpoint"), endpoint == kept.tokenEndpoint
        else {
            throw FileProviderError(.notAuthenticated, "What was kept of the sign-in cannot be used. Sign in again.")
        }
        self = kept
    }

    /// The text to keep.
    func secret() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// As the host keeps it.
    func credential() throws -> Credential { Credential(kind: .oauth, secret: try secret()) }

    /// Who asks for new tokens.
    var identity: OAuthClient.Identity {
        OAuthClient.Identity(identifier: client, secret: clientSecret, isPosted: isSecretPosted ?? false)
    }

    /// When the access token is good for nothing any more; nil: not known.
    var expires: Double? { lifetime.map { issued + $0 } }

    /// When a new one is to be asked for: a minute before, but never in the first half of its life.
    var renewal: Double? { lifetime.map { issued + max($0 / 2, $0 - 60) } }

    /// With tokens that came instead. A server that rotates no refresh tokens sends none.
    func replacing(with tokens: OAuthTokens, now: Double) -> OAuthCredential {
        var result = self
        result.access = tokens.access
        result.refresh = tokens.refresh ?? refresh
        result.issued = now
        result.lifetime = tokens.lifetime
        return result
    }

    /// Never tells a token.
    var description: String { "tokens of \(client)" }
    /// Never tells a token.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
