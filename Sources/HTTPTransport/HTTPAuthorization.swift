/// Who the client is to the server in one exchange, and whom it takes for the server.
package struct HTTPAuthorization: Sendable {
    /// How the server wants a password.
    package enum Scheme: Sendable {
        /// Not known yet: libcurl asks without, and answers the challenge.
        case unknown
        case basic
        case digest
    }

    /// What it shows.
    package enum Secret: Sendable {
        case none
        case password(username: String, password: String, Scheme)
        case token(String)
    }

    /// What the client shows.
    package var secret: Secret
    /// Certificates in PEM that are trusted instead of the system's.
    package var certificateAuthority: String?

    /// An authorization.
    package init(_ secret: Secret, certificateAuthority: String? = nil) {
        self.secret = secret
        self.certificateAuthority = certificateAuthority
    }

    /// The kind of password that a server asked for.
    ///
    /// - Parameter challenge: what ``HTTPExchange`` said that the server offered.
    package static func scheme(of challenge: Int) -> Scheme? { HTTPExchange.scheme(of: challenge) }
}
