/// How a domain signs in, and where its secret is stored; never the secret itself.
package struct CredentialReference: Hashable, Sendable, Codable {
    /// The kind of secret.
    package enum Kind: String, Hashable, Sendable, Codable {
        case password, token
        /// A text in the provider's own format with its tokens.
        case oauth
    }

    /// Where the secret is.
    package enum Source: String, Hashable, Sendable, Codable {
        /// In a file of the user's, read again when needed.
        case file
        /// In `$CREDENTIALS_DIRECTORY`.
        case systemd
        /// In memory only, as long as the daemon lives.
        case session
        /// In the system keyring, or where a machine without one keeps secrets (O6).
        case keyring
    }

    /// The kind of secret.
    package var kind: Kind
    /// Where the secret is.
    package var source: Source
    /// The name of the user who signs in; nil for a token alone.
    package var username: String?
    /// The file's absolute path.
    package var path: String?
    /// The name in `$CREDENTIALS_DIRECTORY`.
    package var name: String?
    /// The place in the ladder of keyrings where it was stored; nil for other sources. It is looked for only there.
    package var rung: String?

    /// Makes a reference.
    package init(
        kind: Kind, source: Source, username: String? = nil, path: String? = nil, name: String? = nil,
        rung: String? = nil
    ) {
        self.kind = kind
        self.source = source
        self.username = username
        self.path = path
        self.name = name
        self.rung = rung
    }
}
