/// Who the client is to the server, and whom the client takes for the server.
struct HTTPIdentity: Sendable {
    /// How the server wants a password.
    enum Scheme: Sendable {
        /// Not known yet: libcurl asks without, and answers the challenge.
        case unknown
        case basic
        case digest
    }

    enum Secret: Sendable {
        case none
        case password(username: String, password: String)
        case token(String)
        /// Tokens that are renewed.
        case session(OAuthSession)
    }

    var secret = Secret.none
    var scheme = Scheme.unknown
    /// Certificates in PEM that are trusted instead of the system's.
    var certificateAuthority: String?
}
