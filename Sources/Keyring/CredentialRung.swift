/// A rung of the ladder: a place for secrets. The cases are in order, from the best to the last resort.
package enum CredentialRung: String, Hashable, Sendable, Codable, CaseIterable {
    /// The desktop's keyring (GNOME's, KWallet or KeePassXC), through the Secret Service interface.
    case secretService
    /// libsecret's own file in the data directory, encrypted with a master password.
    case encryptedFile
    /// The credentials that the service manager put into `$CREDENTIALS_DIRECTORY`; read-only.
    case systemd
    /// Docent's own file, with its key beside it; only used when enabled.
    case sealedFile
}

/// Whether a rung can be used now.
package enum RungState: Hashable, Sendable {
    /// Secrets can be read, and stored if the rung supports that.
    case usable
    /// It exists but must be unlocked first.
    case locked
    /// It cannot be used, for this reason, which is a part of a sentence for people.
    case absent(String)
}
