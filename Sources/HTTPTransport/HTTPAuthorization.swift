/// What the client shows in one exchange, and which certificates it trusts.
package struct HTTPAuthorization: Sendable {
    /// How the server wants a password.
    package enum Scheme: Sendable {
        /// Not known yet: libcurl sends a request without a password, and answers the challenge.
        case unknown
        case basic
        case digest
    }

    /// The kinds of secret.
    package enum Secret: Sendable {
        case none
        case password(username: String, password: String, Scheme)
        case token(String)
    }

    /// The secret that the client shows.
    package var secret: Secret
    /// Certificates in PEM that are trusted instead of the system's.
    package var certificateAuthority: String?

    /// Makes an authorization.
    package init(_ secret: Secret, certificateAuthority: String? = nil) {
        self.secret = secret
        self.certificateAuthority = certificateAuthority
    }

    /// The scheme to use for the kinds of authentication that a server offered.
    ///
    /// - Parameter challenge: The kinds that ``HTTPExchange`` returned.
    package static func scheme(of challenge: Int) -> Scheme? { HTTPExchange.scheme(of: challenge) }
}
