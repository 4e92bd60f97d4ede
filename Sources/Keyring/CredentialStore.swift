/// What every rung of the ladder can do. Calls are bounded, and never wait on the cooperative pool.
protocol CredentialStore: Sendable {
    /// How it stands with it; asks nobody for a password.
    func state() async -> RungState
    /// Stores a secret, in place of one that has the same key.
    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError)
    /// The secret of a key; nil when there is none for certain.
    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret?
    /// Deletes what a query means; whether there was any.
    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool
    /// The keys that a query means.
    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey]
    /// Asks for the password where there is somebody to ask.
    func unlock() async throws(KeyringError)
}
