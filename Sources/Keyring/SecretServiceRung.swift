/// The first rung: the session's Secret Service.
struct SecretServiceRung: CredentialStore {
    let keyring: Keyring

    init(deadline: Duration) { keyring = Keyring(deadline: deadline) }

    func state() async -> RungState { await identity().state }

    /// The state, and the name for people.
    func identity() async -> (state: RungState, name: String) {
        do throws(KeyringError) {
            let identity = try await keyring.identify()
            return (identity.status == .locked ? .locked : .usable, identity.name)
        } catch {
            let state: RungState =
                switch error {
                case .locked: .locked
                case .noCollection(let why):
                    .absent("it has no collection to store secrets in, because it was never unlocked: \(why)")
                case .noService(let why): .absent("it does not answer: \(why)")
                case .timedOut: .absent("it did not answer in time")
                case .failed(let why): .absent(why)
                case .cancelled, .invalidKey, .unavailable, .readOnly, .damaged: .absent(error.description)
                }
            return (state, "Secret Service")
        }
    }

    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        try await keyring.store(secret, for: key, label: label)
    }

    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret? { try await keyring.value(for: key) }

    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool { try await keyring.delete(query) }

    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey] { try await keyring.list(query) }

    func unlock() async throws(KeyringError) { try await keyring.unlock() }
}
