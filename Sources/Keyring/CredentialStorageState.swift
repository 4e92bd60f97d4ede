/// Where a new secret goes, in words for people too.
package struct CredentialStorageState: Hashable, Sendable {
    /// The rung, or nil when none can be used.
    package var rung: CredentialRung?
    /// Whether it has to be unlocked before it takes anything.
    package var isLocked: Bool
    /// What people call it, e.g. “GNOME keyring, collection Login”.
    package var name: String
    /// Whether a secret can be stored there.
    package var isWritable: Bool
    /// What protects the secret there; a sentence.
    package var protection: String
    /// Why this rung, and none above it; a sentence.
    package var reason: String
    /// What to do for a better one, or nil; a sentence.
    package var remedy: String?

    package init(
        rung: CredentialRung?, isLocked: Bool = false, name: String, isWritable: Bool, protection: String,
        reason: String, remedy: String? = nil
    ) {
        self.rung = rung
        self.isLocked = isLocked
        self.name = name
        self.isWritable = isWritable
        self.protection = protection
        self.reason = reason
        self.remedy = remedy
    }
}
