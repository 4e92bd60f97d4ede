/// Where a new secret is stored, with descriptions for people.
package struct CredentialStorageState: Hashable, Sendable {
    /// The rung; nil when none can be used.
    package var rung: CredentialRung?
    /// Whether it must be unlocked before it can store anything.
    package var isLocked: Bool
    /// The name for people, such as "GNOME keyring, collection Login".
    package var name: String
    /// Whether a secret can be stored there.
    package var isWritable: Bool
    /// What protects the secret there, as a sentence.
    package var protection: String
    /// Why this rung is used and none above it, as a sentence.
    package var reason: String
    /// How to get a better rung, as a sentence; nil when there is nothing to do.
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
