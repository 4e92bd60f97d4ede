import Dispatch

/// The user's secrets in the Secret Service, through libsecret.
///
/// Calls wait on a separate thread, one after another, never on the cooperative pool; each has a deadline. Only
/// ``unlock(patience:)`` may make the desktop ask the user for a password; the others throw ``KeyringError/locked``.
/// Secrets are bytes; they are never logged and never part of an error.
package final class Keyring: Sendable {
    /// The time limit of a call, from the moment it is made.
    package let deadline: Duration

    /// One per process, like libsecret's connection.
    private static let queue = DispatchQueue(label: "org.docent.keyring")
    private static let prompts = DispatchQueue(label: "org.docent.keyring.prompts")

    /// Creates a keyring; nothing is contacted before the first call.
    package init(deadline: Duration = .seconds(60)) { self.deadline = deadline }

    /// Stores a secret, replacing one with the same key.
    ///
    /// - Parameters:
    ///   - secret: any bytes.
    ///   - label: shown to the user by keyring programs.
    package func store(_ secret: [UInt8], for key: CredentialKey, label: String) async throws(KeyringError) {
        try await store(Secret(secret), for: key, label: label)
    }

    /// Stores a secret, replacing one with the same key.
    package func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        try await perform { service throws(KeyringError) in
            try service.store(secret, attributes: CredentialQuery(key).attributes, label: label)
        }
    }

    /// The secret for a key.
    ///
    /// - Returns: nil when there is none, which is not an error.
    /// - Throws: ``KeyringError/locked``, also when nothing is found in a locked keyring.
    package func secret(for key: CredentialKey) async throws(KeyringError) -> [UInt8]? {
        try await value(for: key)?.withBytes { [UInt8]($0) }
    }

    /// The secret for a key, in locked memory.
    package func value(for key: CredentialKey) async throws(KeyringError) -> Secret? {
        try await perform { service throws(KeyringError) in
            try service.lookUp(attributes: CredentialQuery(key).attributes)
        }
    }

    /// Deletes the secrets that a query selects.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool {
        try await perform { service throws(KeyringError) in
            try service.delete(attributes: query.attributes)
        }
    }

    /// The keys of the secrets that a query selects, without the secrets, in no particular order. Nothing is unlocked.
    package func list(_ query: CredentialQuery = CredentialQuery()) async throws(KeyringError) -> [CredentialKey] {
        try await perform { service throws(KeyringError) in
            try service.list(attributes: query.attributes)
        }
    }

    /// Checks whether the keyring can be used. Never asks the user for anything.
    package func probe() async -> KeyringStatus {
        do throws(KeyringError) {
            return try await perform { service throws(KeyringError) in
                try service.probe()
            }
        } catch {
            switch error {
            case .noService(let reason): return .noService(reason)
            case .noCollection(let reason): return .noCollection(reason)
            case .locked: return .locked
            case .timedOut: return .timedOut
            case .cancelled, .invalidKey, .unavailable, .readOnly, .damaged, .failed: return .failed(error.description)
            }
        }
    }

    /// Identifies the keyring that answers. Never asks the user for anything.
    package func identify() async throws(KeyringError) -> KeyringIdentity {
        try await perform { service throws(KeyringError) in
            try service.identify()
        }
    }

    /// Unlocks the default collection and individually locked items of Docent; a desktop asks its user. Other calls do
    /// not wait for it.
    ///
    /// - Parameter patience: how long the user has.
    /// - Throws: ``KeyringError/locked`` when no one could be asked, or the user did not answer.
    package func unlock(patience: Duration = .seconds(120)) async throws(KeyringError) {
        // This also detects a restarted bus.
        let status = try await perform { service throws(KeyringError) in
            try service.probe()
        }
        guard status == .locked || status == .available else { return }
        do throws(KeyringError) {
            try await BoundedCall.run(on: Self.prompts, deadline: patience) { cancellable in
                SecretServiceCall.unlock(cancellable: cancellable)
            }
        } catch {
            throw error == .timedOut ? .locked : error
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SecretServiceCall) throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        try await BoundedCall.run(on: Self.queue, deadline: deadline) { cancellable in
            SecretServiceCall.run(cancellable: cancellable, work)
        }
    }
}
