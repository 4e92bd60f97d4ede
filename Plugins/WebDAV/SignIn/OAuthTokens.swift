import FileProvider
import FoundationEssentials
import HTTPTransport

/// The tokens from an identity server: one for the WebDAV server, and one to renew it (RFC 6749 5.1).
struct OAuthTokens: Sendable {
    var access: String
    var refresh: String?
    /// The seconds for which the access token is valid; nil if unknown.
    var lifetime: Double?
    /// The account, if the server reports it (Nextcloud, ownCloud).
    var user: String?

    private struct Answer: Decodable {
        var access_token: String
        var token_type: String
        var expires_in: Double?
        var refresh_token: String?
        var user_id: String?

        private enum Key: String, CodingKey { case access_token, token_type, expires_in, refresh_token, user_id }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            access_token = try container.decode(String.self, forKey: .access_token)
            token_type = try container.decode(String.self, forKey: .token_type)
            // Some servers send the number as text.
            expires_in =
                (try? container.decodeIfPresent(Double.self, forKey: .expires_in))
                ?? (try? container.decodeIfPresent(String.self, forKey: .expires_in)).flatMap { Double($0) }
            refresh_token = try container.decodeIfPresent(String.self, forKey: .refresh_token)
            user_id = try? container.decodeIfPresent(String.self, forKey: .user_id)
        }
    }

    /// Reads the tokens from an answer.
    ///
    /// - Throws: `FileProviderError` for a refusal and for unusable tokens.
    init(_ reply: OAuthReply) throws {
        guard reply.status == 200 else { throw reply.error(cannot: "give tokens") }
        let answer = try reply.decoded(Answer.self, "token")
        guard answer.token_type.lowercased() == "bearer" else {
            throw FileProviderError(
                .notSupported, "The identity server issues tokens of a kind that WebDAV cannot use.")
        }
        guard Self.isUsable(answer.access_token), answer.refresh_token.map(Self.isUsable) ?? true else {
            throw FileProviderError(
                .serverUnreachable, "The identity server returned an invalid token. Try again later.")
        }
        access = answer.access_token
        refresh = answer.refresh_token
        lifetime = answer.expires_in.flatMap { $0.isFinite && $0 > 0 ? min($0, 1e10) : nil }
        user = OAuthReply.plain(answer.user_id)
    }

    // The token is sent in a header field.
    private static func isUsable(_ token: String) -> Bool {
        (1...16_384).contains(token.utf8.count) && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
