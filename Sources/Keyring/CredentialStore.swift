/// The operations of every rung. Calls have deadlines, and never wait on the cooperative pool.
protocol CredentialStore: Sendable {
    /// The state of the rung. Never asks for a password.
    func state() async -> RungState
    /// Stores a secret, replacing one with the same key.
    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError)
    /// The secret for a key; nil when there is certainly none.
    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret?
    /// Deletes the secrets that a query selects; returns whether there were any.
    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool
    /// The keys that a query selects.
    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey]
    /// Asks for the password, if there is someone to ask.
    func unlock() async throws(KeyringError)
}
