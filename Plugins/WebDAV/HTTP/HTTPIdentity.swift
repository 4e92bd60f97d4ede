import HTTPTransport

/// The identity that the client shows to the server, and the certificates by which it recognises the server.
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

    /// The authorization for one exchange. For a session it is empty, because each exchange gets its own token.
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
