/// A step of the ladder: a place where secrets can be kept, from the best to the last resort.
package enum CredentialRung: String, Hashable, Sendable, Codable, CaseIterable {
    /// The desktop's keyring: GNOME's, KWallet or KeePassXC, by the Secret Service interface.
    case secretService
    /// libsecret's own file in our data directory, encrypted with a master password.
    case encryptedFile
    /// What the service manager put into `$CREDENTIALS_DIRECTORY`; read-only.
    case systemd
    /// A file of ours whose key lies beside it; only when switched on.
    case sealedFile
}

/// Whether a rung can be used now.
package enum RungState: Hashable, Sendable {
    /// Secrets can be read, and stored where that is possible at all.
    case usable
    /// It is there, and waits for somebody to unlock it.
    case locked
    /// It cannot be used; why, as a part of a sentence for people.
    case absent(String)
}
