/// The provider that is validated, as a host would know it from its manifest and from its user.
package struct ProviderSubject: Sendable, Hashable, Codable {
    /// A credential for `SignIn`.
    package struct Credential: Sendable, Hashable, Codable {
        /// password, token or oauth.
        package var kind: String
        /// The user name, if one is needed.
        package var username: String?
        /// The password or token.
        package var secret: String?

        /// A credential.
        package init(kind: String = "password", username: String? = nil, secret: String? = nil) {
            self.kind = kind
            self.username = username
            self.secret = secret
        }
    }

    /// Its bundle identifier.
    package var identifier: String
    /// The principal class of its manifest.
    package var principalClass: String?
    /// Its name for people.
    package var displayName: String
    /// The folder of its domain, if it shows one.
    package var folder: String?
    /// What its user set for the domain.
    package var settings: [String: String]
    /// What to sign in with before anything else; nil: nothing.
    package var credential: Credential?

    /// A provider.
    package init(
        identifier: String, principalClass: String? = nil, displayName: String, folder: String? = nil,
        settings: [String: String] = [:], credential: Credential? = nil
    ) {
        self.identifier = identifier
        self.principalClass = principalClass
        self.displayName = displayName
        self.folder = folder
        self.settings = settings
        self.credential = credential
    }
}
