import HTTPTransport

/// Who the client is to the server, and whom the client takes for the server.
struct HTTPIdentity: Sendable {
    enum Secret: Sendable {
        case none
        case password(username: String, password: String)
        case token(String)
        /// Tokens that are renewed.
        case session(OAuthSession)
    }

    var secret = Secret.none
    var scheme = HTTPAuthorization.Scheme.unknown
    /// Certificates in PEM that are trusted instead of the system's.
    var certificateAuthority: String?

    /// What one exchange shows of it. A session shows nothing: it has a token for each exchange.
    var authorization: HTTPAuthorization {
        let shown: HTTPAuthorization.Secret =
            switch secret {
            case .none, .session: .none
            case .token(let text): .token(text)
            case .password(let username, let password): .password(username: username, password: password, scheme)
            }
        return HTTPAuthorization(shown, certificateAuthority: certificateAuthority)
    }
}
